import { Button, SegmentedControl } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type Club, clubApi, type Need } from '../../contract/clubs.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { refundApi } from '../../contract/refunds.ts'
import { query, useCall } from '../api/call.ts'
import { sendLeftovers } from '../door/phone/send-leftovers.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import { paths } from '../paths.ts'
import { plural } from '../ui/plural.ts'
import { useNow } from '../ui/use-now.ts'
import styles from './AdminDashboardPage.module.css'
import { StaffEventCard } from './StaffEventCard.tsx'

/** A club's events for its staff. */
export function AdminDashboardPage() {
  const clubId = useOwnClub()
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  const { data: needs } = useSuspenseQuery(query(clubApi.getNeeds, { clubId }))
  useEffect(() => void sendLeftovers().catch(() => {}), [])
  const isNew = !events.some(({ status }) => status === 'published')
  return (
    <div className="page">
      <div className="row spread">
        <h1>{club.name}</h1>
        <Button component={Link} to={paths.addEvent} size="md">
          Add an event
        </Button>
      </div>
      {isNew && <FirstSteps club={club} events={events} />}
      {needs.length > 0 && <Needs clubId={clubId} needs={needs} />}
      {events.length > 0 && <EventCards events={events} />}
    </div>
  )
}

/** The way of a new club to its first published event. */
function FirstSteps({ club, events }: { club: Club; events: Event[] }) {
  const [latest] = events
  const steps = [
    {
      isDone: club.email !== '' && club.location !== '',
      text: 'Say who you are: place, e-mail and a few words',
      why: 'Visitors see it on your page, and their answers to tickets go to your e-mail.',
      to: paths.editClub(club.id),
    },
    {
      isDone: latest !== undefined,
      text: 'Add your first event',
      why: 'It stays a draft that nobody sees until you publish it.',
      to: paths.addEvent,
    },
    {
      isDone: false,
      text: 'Publish it',
      why: 'Then your club page shows it, and registration is open.',
      to: latest ? paths.editEvent(latest.id) : null,
    },
  ]
  return (
    <section className="card" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className={styles.steps}>
        {steps.map(({ isDone, text, why, to }) => (
          <li key={text} className={isDone ? 'done' : ''}>
            {to === null || isDone ? <strong>{text}</strong> : <Link to={to}>{text}</Link>}
            {isDone && <span className="badge good">Done</span>}
            <p className="muted small">{why}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Needs({ clubId, needs }: { clubId: number; needs: Need[] }) {
  return (
    <section className={`card ${styles.needs}`} aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      <ul>
        {needs.map((need) => (
          <li key={`${need.kind} ${need.eventId}`}>
            <NeedLine clubId={clubId} need={need} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NeedLine({ clubId, need: { kind, eventId, eventName, count } }: { clubId: number; need: Need }) {
  switch (kind) {
    case 'mails failed':
      return (
        <>
          {plural(count, 'mail', 'mails')} of <strong>{eventName}</strong> could not be sent.{' '}
          <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'refunds failed':
      return (
        <>
          {plural(count, 'refund', 'refunds')} of <strong>{eventName}</strong> could not be made yet. Please check your
          balance and the payments at Stripe.{' '}
          {eventId !== null && <Link to={paths.attendees(eventId)}>See the attendees</Link>}{' '}
          <RetryRefunds clubId={clubId} eventId={eventId} />
        </>
      )
    case 'disputes':
      return (
        <>
          {plural(count, 'payment', 'payments')} of <strong>{eventName}</strong> {count === 1 ? 'is' : 'are'} disputed:
          answer it at Stripe. <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'door conflicts':
      return (
        <>
          {plural(count, 'ticket', 'tickets')} of <strong>{eventName}</strong> {count === 1 ? 'was' : 'were'} let in
          against the list while a phone had no network.{' '}
          <Link to={`${paths.attendees(eventId)}#conflicts`}>Look into it</Link>
        </>
      )
    case 'draft soon':
      return (
        <>
          <strong>{eventName}</strong> starts within a week and is still a draft.{' '}
          <Link to={paths.editEvent(eventId)}>Publish it</Link>
        </>
      )
    case 'event full':
      return (
        <>
          <strong>{eventName}</strong> is full. <Link to={paths.editEvent(eventId)}>Raise the capacity</Link>
        </>
      )
  }
}

/** Has Stripe asked again at once, for example after money was added to the account; without an event, for those that were removed. */
function RetryRefunds({ clubId, eventId }: { clubId: number; eventId: number | null }) {
  const ofEvent = useCall(refundApi.retryRefunds)
  const ofRemoved = useCall(refundApi.retryRefundsOfRemoved)
  const retry = eventId === null ? ofRemoved : ofEvent
  const start = () =>
    eventId === null ? ofRemoved.mutate({ payload: { clubId } }) : ofEvent.mutate({ payload: { eventId } })
  return (
    <>
      <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={start}>
        Try again
      </Button>{' '}
      <span role="status">
        {retry.isError ? 'That did not work. Please try again.' : retry.isSuccess ? 'Stripe is being asked again.' : ''}
      </span>
    </>
  )
}

const periods = ['Upcoming', 'Past', 'All'] as const
type Period = (typeof periods)[number]

function EventCards({ events }: { events: Event[] }) {
  const now = useNow()
  const [period, setPeriod] = useState<Period>('Upcoming')
  const isIn = ({ endsAt }: Event) => period === 'All' || endsAt > now === (period === 'Upcoming')
  const order = period === 'Upcoming' ? 1 : -1
  const shown = events.filter(isIn).sort((a, b) => order * (a.startsAt.getTime() - b.startsAt.getTime()))
  return (
    <>
      <div className="row spread">
        <h2>Events</h2>
        <SegmentedControl
          aria-label="Which events"
          data={[...periods]}
          value={period}
          onChange={(value) => setPeriod(periods.find((each) => each === value) ?? 'All')}
        />
      </div>
      {shown.length === 0 && <p>There is none here. {period !== 'All' && 'Look under “All”, or add one.'}</p>}
      <ul className="cards">
        {shown.map((event) => (
          <li key={event.id}>
            <StaffEventCard event={event} />
          </li>
        ))}
      </ul>
    </>
  )
}
