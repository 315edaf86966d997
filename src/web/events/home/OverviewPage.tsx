import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Alert, clubApi } from '../../../contract/clubs.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type Event, seatsLeft } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { type Statistics, statisticsApi } from '../../../contract/statistics.ts'
import { formatSpan, toLocalInput } from '../../../contract/values/dates.ts'
import { formatAmount } from '../../../contract/values/money.ts'
import { query } from '../../api/query.ts'
import { serverNow } from '../../api/server-time.ts'
import { ToDos } from '../../dashboard/ToDos.tsx'
import { useOwnClub } from '../../layouts/SignedIn.tsx'
import { readId } from '../../read-id.ts'
import { ticketsOf } from '../../statistics/figures.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { plural } from '../../ui/plural.ts'
import { SeatsBar } from '../../ui/SeatsBar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { StateBadge } from '../StateBadge.tsx'
import { isAtDoor } from './is-at-door.ts'
import { LatestRegistrations } from './LatestRegistrations.tsx'
import { MoreForEvent } from './MoreForEvent.tsx'
import { NextStep } from './NextStep.tsx'
import { nextStep, type Step } from './next-step.ts'
import styles from './OverviewPage.module.css'
import { ShareCard } from './ShareCard.tsx'

/** An event's home: its state, the next step, its numbers, and its link. */
export function OverviewPage() {
  const eventId = readId(useParams().eventId)
  const clubId = useOwnClub()
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  if (event.clubId !== clubId) throw new Refusal('NOT_FOUND')
  const { data: alerts } = useSuspenseQuery(query(clubApi.getNeeds, { clubId }))
  const now = useNow()
  const { action } = nextStep(event, now)
  const own = alerts.filter((alert) => alert.eventId === eventId && alert.kind !== saidBy[action])
  const date = toLocalInput(serverNow(), event.timeZone).slice(0, 10)
  const { data: statistics } = useQuery(query(statisticsApi.getStatistics, { eventId, date }))
  return (
    <div className="page">
      <PageTitle title={event.name} />
      <div className={`row spread ${styles.top}`}>
        <StateBadge event={event} now={now} />
        <MoreForEvent event={event} on="overview" />
      </div>
      <h1 className={styles.name}>{event.name}</h1>
      <p className="muted">
        {formatSpan(event.startsAt, event.endsAt, event.timeZone)}
        {event.location && (
          <span className={styles.place}>
            <span className={styles.dot}> · </span>
            {event.location}
          </span>
        )}
      </p>
      <NextStep event={event} now={now} />
      <Numbers event={event} now={now} statistics={statistics} />
      {own.length > 0 && <ToDos clubId={clubId} alerts={own} isOnEvent />}
      <div className={styles.beside}>
        <LatestRegistrations event={event} now={now} statistics={statistics} />
        {event.status === 'published' && event.endsAt > now && (
          <ShareCard event={event} hasCopy={action !== 'copy link'} />
        )}
      </div>
    </div>
  )
}

/** The to-dos that the next step names already. */
const saidBy: Readonly<Partial<Record<Step['action'], Alert['kind']>>> = {
  publish: 'draft soon',
  'add places': 'event full',
}

/** Seats, check-ins and money. The latter two appear when they have been read. */
function Numbers({ event, now, statistics: data }: { event: Event; now: Date; statistics: Statistics | undefined }) {
  const { maxAttendees, registrationCount } = event
  const left = seatsLeft(event)
  const income = data?.income ?? null
  const isLive = event.status === 'published' && event.endsAt > now
  if (event.status === 'draft' && registrationCount === 0) return null
  return (
    <dl className={styles.numbers}>
      <div className="card">
        <dt>Places taken</dt>
        <dd>
          {registrationCount.toLocaleString('en-GB')}
          {maxAttendees !== null && <small> of {maxAttendees.toLocaleString('en-GB')}</small>}
        </dd>
        <dd className="muted small">
          {left === null ? 'No limit' : left === 0 ? 'Full' : `${plural(left, 'place', 'places')} left`}
        </dd>
        {maxAttendees !== null && (
          <dd>
            <SeatsBar label="Places taken" taken={registrationCount} places={maxAttendees} />
          </dd>
        )}
      </div>
      {isLive && (
        <div className="card">
          <dt>Today</dt>
          <dd>{data ? newWords(data.historicalRegistrationCount) : '–'}</dd>
          {data?.historicalRegistrationCount !== 0 && <dd className="muted small">new registrations</dd>}
        </div>
      )}
      {isLive && !isAtDoor(event, now) ? (
        <div className="card">
          <dt>Starts</dt>
          <dd className={styles.days}>{daysTo(event.startsAt, now)}</dd>
        </div>
      ) : (
        event.status === 'published' && (
          <div className="card">
            <dt>Checked in</dt>
            <dd>
              {data ? data.totalCheckinCount.toLocaleString('en-GB') : '–'}
              {data && <small> of {ticketsOf(data).toLocaleString('en-GB')}</small>}
            </dd>
            {data && data.unpaidCount > 0 && (
              <dd className="muted small">{data.unpaidCount.toLocaleString('en-GB')} not paid</dd>
            )}
          </div>
        )
      )}
      {data && income && (
        <div className="card">
          <dt>Income</dt>
          <dd>{formatAmount(income.paid - income.refunded - income.lost, income.currency)}</dd>
          <dd className="muted small">
            {formatAmount(income.paid, income.currency)} paid
            {income.refunded > 0 && `, ${formatAmount(income.refunded, income.currency)} given back`}
            {data.unpaidCount > 0 &&
              `, ${plural(data.unpaidCount, 'registration', 'registrations')} not paid yet (${formatAmount(data.unpaidAmount, event.currency)})`}
          </dd>
        </div>
      )}
    </dl>
  )
}

function newWords(count: number): string {
  return count === 0 ? 'None yet' : `+${count.toLocaleString('en-GB')}`
}

const DAY_MS = 24 * 60 * 60_000

function daysTo(startsAt: Date, now: Date): string {
  const days = Math.floor((startsAt.getTime() - now.getTime()) / DAY_MS)
  return days === 0 ? 'within a day' : `in ${plural(days, 'day', 'days')}`
}
