import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/statistics.ts'
import * as paths from '../paths.ts'
import { Parts } from '../ui/Parts.tsx'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import { formatCount, formatShare, hasMoney, netOf, sayMissing, ticketsOf } from './figures.ts'
import styles from './Totals.module.css'

interface Props {
  event: Event
  statistics: Statistics
  /** Whether the attendee list can be opened: the operator cannot. */
  isAdmin: boolean
}

/** How many are registered and in, and the money. */
export function Totals({ event, statistics, isAdmin }: Props) {
  const { totalRegistrationCount: registered, totalCheckinCount: arrived } = statistics
  const tickets = ticketsOf(statistics)
  const capacity = event.maxAttendees
  const left = capacity === null ? 0 : capacity - registered - event.walkInPlaces
  const list = paths.attendees(event.id)
  return (
    <ul className={styles.totals}>
      <Total
        text={
          capacity === null
            ? texts.registeredCount({ count: registered, strong })
            : texts.registeredOf({ count: registered, places: formatCount(capacity), strong })
        }
        {...(isAdmin && { link: { to: list, text: texts.seeAttendees() } })}
      >
        {capacity !== null && (
          <SeatsBar label={texts.registered()} taken={registered} kept={event.walkInPlaces} places={capacity} />
        )}
        <p>{capacity === null ? texts.noLimit() : left > 0 ? texts.placesLeft({ count: left }) : texts.full()}</p>
      </Total>
      <Total
        text={texts.inOf({
          count: arrived,
          tickets: formatCount(tickets),
          share: formatShare(arrived, tickets),
          strong,
        })}
        {...(isAdmin &&
          arrived < tickets && {
            link: { to: `${list}?status=confirmed&checkin=false`, text: texts.seeMissing() },
          })}
      >
        <SeatsBar label={texts.inIt()} taken={arrived} places={Math.max(1, tickets)} />
        <p>{sayMissing(statistics)}</p>
      </Total>
      {hasMoney(event, statistics) && <Money event={event} statistics={statistics} isAdmin={isAdmin} />}
    </ul>
  )
}

interface TotalProps {
  /** The figure in bold and the words for what it counts. */
  text: readonly ReactNode[]
  link?: { to: string; text: string }
  children: ReactNode
}

const strong = (text: string) => <strong>{text}</strong>

function Total({ text, link, children }: TotalProps) {
  return (
    <li className={styles.total}>
      <p className={styles.words}>
        <Parts of={text} />
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
    { name: texts.paid(), amount: paid },
    { name: texts.givenBack(), amount: refunded },
    ...(lost > 0 ? [{ name: texts.lostInDisputes(), amount: lost }] : []),
  ]
  return (
    <Total
      text={texts.netIncome({ amount: formatAmount(netOf({ paid, refunded, lost }), currency), strong })}
      {...(isAdmin &&
        unpaidCount > 0 && {
          link: { to: `${paths.attendees(event.id)}?status=pending`, text: texts.seeUnpaid() },
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
          <dt>{texts.notPaidYet()}</dt>
          <dd>{texts.unpaidPeople({ count: unpaidCount, amount: formatAmount(unpaidAmount, event.currency) })}</dd>
        </div>
      </dl>
    </Total>
  )
}
