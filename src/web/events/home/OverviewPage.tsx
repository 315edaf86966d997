import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { type Alert, clubApi } from '../../../contract/clubs.ts'
import { Refusal } from '../../../contract/errors.ts'
import { type Event, seatsLeft } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import { type Statistics, statisticsApi } from '../../../contract/statistics.ts'
import { formatSpan, toLocalInput } from '../../../contract/values/dates.ts'
import { formatAmount } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/overview.ts'
import * as toDoTexts from '../../../texts/generated/toDos.ts'
import { formatNumber } from '../../../texts/numbers.ts'
import { query } from '../../api/query.ts'
import { serverNow } from '../../api/server-time.ts'
import { plans, ToDos } from '../../dashboard/ToDos.tsx'
import { useOwnClub } from '../../layouts/SignedIn.tsx'
import * as paths from '../../paths.ts'
import { readId } from '../../read-id.ts'
import { useMay } from '../../session/may.ts'
import { hasMoney, sayMoney, ticketsOf } from '../../statistics/figures.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { SeatsBar } from '../../ui/SeatsBar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { EventCover } from '../EventCover.tsx'
import { StateBadge } from '../StateBadge.tsx'
import { daysTo } from './days-to.ts'
import { isAtDoor, isLive } from './is-at-door.ts'
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
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const may = useMay()
  const now = useNow()
  const { action } = nextStep(event, now)
  const own = alerts.filter(
    ({ eventId: of, kind }) => of === eventId && (may('events') ? kind !== saidBy[action] : !plans.has(kind)),
  )
  const date = toLocalInput(serverNow(), event.timeZone).slice(0, 10)
  const { data: statistics } = useQuery(query(statisticsApi.getStatistics, { eventId, date }))
  const hasUnpaid = statistics !== undefined && statistics.unpaidCount > 0
  return (
    <div className="page">
      <PageTitle title={event.name} />
      <div className={`row spread ${styles.top}`}>
        <StateBadge event={event} now={now} />
        {/* Of a draft, there is nothing to do but to edit it. */}
        {(may('events') || event.status === 'published') && <MoreForEvent event={event} on="overview" />}
      </div>
      <div className={styles.head}>
        <EventCover event={event} colour={club.colour} className={styles.cover} sizes="12rem" />
        <div>
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
        </div>
      </div>
      {may('events') && <NextStep event={event} now={now} />}
      <Numbers event={event} now={now} statistics={statistics} />
      {(own.length > 0 || hasUnpaid) && (
        <ToDos clubId={clubId} alerts={own} isOnEvent>
          {hasUnpaid && <Unpaid event={event} statistics={statistics} />}
        </ToDos>
      )}
      <div className={styles.beside}>
        {event.endsAt > now && <LatestRegistrations event={event} now={now} statistics={statistics} />}
        {isLive(event, now) && <ShareCard event={event} colour={club.colour} />}
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
  const { maxAttendees, registrationCount, walkInPlaces } = event
  const left = seatsLeft(event)
  const income = data?.income ?? { paid: 0, refunded: 0, lost: 0, currency: event.currency }
  const isOn = isLive(event, now)
  // Nothing to count: it is not open yet, or nobody came.
  if (!isOn && registrationCount === 0 && !(data && hasMoney(event, data))) return null
  const isAtDoorNow = isAtDoor(event, now)
  const isPublished = event.status === 'published'
  const isOver = isPublished && event.endsAt <= now
  const vouchers = data?.vouchers ?? []
  const sold = sum(vouchers.map((each) => each.sold))
  return (
    <dl className={styles.numbers}>
      {isPublished && (isAtDoorNow || isOver) && <CheckedIn statistics={data} isFirst />}
      <div className="card">
        <dt>{event.status === 'cancelled' || isOver ? texts.wereRegistered() : texts.placesTaken()}</dt>
        <dd>
          {formatNumber(registrationCount)}
          {maxAttendees !== null && <small> {texts.ofPlaces({ count: formatNumber(maxAttendees) })}</small>}
        </dd>
        {isOn && (
          <dd className="muted small">
            {left === null ? texts.noLimit() : left === 0 ? texts.full() : texts.placesLeft({ count: left })}
            {walkInPlaces > 0 && ` · ${texts.keptForDoor({ count: walkInPlaces })}`}
          </dd>
        )}
        {maxAttendees !== null && (
          <dd>
            <SeatsBar label={texts.placesTaken()} taken={registrationCount} kept={walkInPlaces} places={maxAttendees} />
          </dd>
        )}
      </div>
      {isOn && (
        <div className="card">
          <dt>{texts.today()}</dt>
          <dd>{data ? newText(data.historicalRegistrationCount) : '–'}</dd>
          {data?.historicalRegistrationCount !== 0 && (
            <dd className="muted small">{texts.newRegistrations({ count: data?.historicalRegistrationCount ?? 0 })}</dd>
          )}
        </div>
      )}
      {isOn && !isAtDoorNow && (
        <div className="card">
          <dt>{texts.starts()}</dt>
          <dd className={styles.days}>{daysTo(event, now)}</dd>
        </div>
      )}
      {isPublished && !isOn && !isAtDoorNow && !isOver && <CheckedIn statistics={data} />}
      {data && hasMoney(event, data) && (
        <div className="card">
          <dt>{texts.income()}</dt>
          <dd>{formatAmount(income.paid - income.refunded - income.lost, income.currency)}</dd>
          {income.refunded + income.lost !== 0 && <dd className="muted small">{sayMoney(income, income.currency)}</dd>}
        </div>
      )}
      {isOver && sold > 0 && (
        <div className="card">
          <dt>{texts.vouchersUsedUp()}</dt>
          <dd>
            {formatNumber(sum(vouchers.map((each) => each.redeemed)))}
            <small> {texts.ofPlaces({ count: formatNumber(sold) })}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}

const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0)

/** How many of the tickets are in. While people come in, and afterwards, the first of the numbers. */
function CheckedIn({ statistics: data, isFirst = false }: { statistics: Statistics | undefined; isFirst?: boolean }) {
  return (
    <div className={isFirst ? `card ${styles.first}` : 'card'}>
      <dt>{texts.checkedIn()}</dt>
      <dd>
        {data ? formatNumber(data.totalCheckinCount) : '–'}
        {data && <small> {texts.ofPlaces({ count: formatNumber(ticketsOf(data)) })}</small>}
      </dd>
      {data && data.unpaidCount > 0 && <dd className="muted small">{texts.notPaid({ count: data.unpaidCount })}</dd>}
      {isFirst && (
        <dd>
          <SeatsBar
            label={texts.checkedIn()}
            taken={data?.totalCheckinCount ?? 0}
            places={data ? ticketsOf(data) : 1}
          />
        </dd>
      )}
    </div>
  )
}

/** Who holds a place but has not paid, with the way to them. */
function Unpaid({ event, statistics }: { event: Event; statistics: Statistics }) {
  const { unpaidCount: count, unpaidAmount } = statistics
  return (
    <>
      {toDoTexts.unpaid({ count, amount: formatAmount(unpaidAmount, event.currency) })}{' '}
      <Link to={`${paths.attendees(event.id)}?status=pending`}>{toDoTexts.seeWho()}</Link>
    </>
  )
}

function newText(count: number): string {
  return count === 0 ? texts.noneYet() : texts.newCount({ count: formatNumber(count) })
}
