import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { formatAmount } from '../../contract/values/money.ts'
import { paths } from '../paths.ts'
import { plural } from '../ui/plural.ts'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import { formatCount, formatShare, netOf, sayMissing, ticketsOf } from './figures.ts'
import styles from './Totals.module.css'

interface Props {
  event: Event
  statistics: Statistics
  /** Whether the attendee list can be opened: the operator cannot. */
  isAdmin: boolean
}

/** Whether an event has anything to do with money. */
export const hasMoney = (event: Event, statistics: Statistics | undefined) =>
  event.ticketPrice > 0 || (statistics?.income ?? null) !== null || (statistics?.unpaidCount ?? 0) > 0

/** How many are registered and in, and the money. */
export function Totals({ event, statistics, isAdmin }: Props) {
  const { totalRegistrationCount: registered, totalCheckinCount: arrived } = statistics
  const tickets = ticketsOf(statistics)
  const capacity = event.maxAttendees
  const list = paths.attendees(event.id)
  return (
    <ul className={styles.totals}>
      <Total
        figure={formatCount(registered)}
        words={capacity === null ? 'registered' : `of ${formatCount(capacity)} registered`}
        {...(isAdmin && { link: { to: list, text: 'See the attendees' } })}
      >
        {capacity !== null && <SeatsBar label="Registered" taken={registered} places={capacity} />}
        <p>
          {capacity === null
            ? 'No limit'
            : capacity > registered
              ? `${plural(capacity - registered, 'place', 'places')} left`
              : 'Full'}
        </p>
      </Total>
      <Total
        figure={formatCount(arrived)}
        words={`of ${formatCount(tickets)} in (${formatShare(arrived, tickets)})`}
        {...(isAdmin &&
          arrived < tickets && {
            link: { to: `${list}?status=confirmed&checkin=false`, text: 'See who is missing' },
          })}
      >
        <SeatsBar label="In" taken={arrived} places={Math.max(1, tickets)} />
        <p>{sayMissing(statistics)}</p>
      </Total>
      {hasMoney(event, statistics) && <Money event={event} statistics={statistics} isAdmin={isAdmin} />}
    </ul>
  )
}

interface TotalProps {
  figure: string
  words: string
  link?: { to: string; text: string }
  children: ReactNode
}

function Total({ figure, words, link, children }: TotalProps) {
  return (
    <li className={styles.total}>
      <p className={styles.words}>
        <strong>{figure}</strong> {words}
      </p>
      {children}
      {link && <Link to={link.to}>{link.text}</Link>}
    </li>
  )
}

function Money({ event, statistics: { income, unpaidCount, unpaidAmount }, isAdmin }: Props) {
  const currency = income?.currency ?? event.currency
  const { paid, refunded, lost } = income ?? { paid: 0, refunded: 0, lost: 0 }
  const lines = [
    { name: 'Paid', amount: paid },
    { name: 'Given back', amount: refunded },
    ...(lost > 0 ? [{ name: 'Lost in disputes', amount: lost }] : []),
  ]
  return (
    <Total
      figure={formatAmount(netOf({ paid, refunded, lost }), currency)}
      words="net income"
      {...(isAdmin &&
        unpaidCount > 0 && {
          link: { to: `${paths.attendees(event.id)}?status=pending`, text: 'See who has not paid' },
        })}
    >
      <dl className={styles.lines}>
        {lines.map(({ name, amount }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatAmount(amount, currency)}</dd>
          </div>
        ))}
        <div>
          <dt>Not paid yet</dt>
          <dd>
            {unpaidCount === 0
              ? 'nobody'
              : `${plural(unpaidCount, 'person', 'people')} · ${formatAmount(unpaidAmount, event.currency)}`}
          </dd>
        </div>
      </dl>
    </Total>
  )
}
