import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { formatDate, formatTime } from '../../contract/dates.ts'
import { refusals } from '../../contract/errors.ts'
import { type Event, eventApi, seatsLeft, whyNotOpen } from '../../contract/events.ts'
import { imageUrl } from '../../contract/images.ts'
import { query } from '../api/call.ts'
import { EventFacts } from '../events/EventFacts.tsx'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNow } from '../ui/use-now.ts'
import { RegistrationForm } from './RegistrationForm.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/Markdown.tsx')).Markdown }))

/** An event's public page with its registration. */
export function RegisterPage() {
  const params = useParams()
  const [eventId, clubId] = [Number(params.eventId), Number(params.clubId)]
  const { data: event } = useSuspenseQuery(query(eventApi.getEventByEventIdnClubId, { eventId, clubId }))
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  return (
    <div className="page">
      <PageTitle title={event.name} />
      <p>
        <Link to={paths.club(clubId)}>{club.name}</Link>
      </p>
      <img className="banner" src={imageUrl('event-banner', event.banner)} alt="" width="1600" height="700" />
      <div className="event-page">
        <section>
          <h1>{event.name}</h1>
          <EventFacts event={event} />
          <Suspense fallback={null}>{event.description && <Markdown text={event.description} />}</Suspense>
        </section>
        <section className="card" aria-labelledby="register">
          <h2 id="register">Register</h2>
          <Places event={event} />
          <Registration event={event} />
        </section>
      </div>
    </div>
  )
}

function Registration({ event }: { event: Event }) {
  const closed = whyNotOpen(event, useNow())
  const opens = event.registrationOpensAt
  if (closed === 'REGISTRATION_NOT_OPEN' && opens) {
    const when = `${formatDate(opens, event.timeZone)} at ${formatTime(opens, event.timeZone)}`
    return <p role="status">Registration opens on {when}.</p>
  }
  if (closed) return <p role="status">{refusals[closed].msg}</p>
  if (seatsLeft(event) === 0) return <p role="status">This event is sold out.</p>
  return <RegistrationForm event={event} />
}

function Places({ event }: { event: Event }) {
  const left = seatsLeft(event)
  if (left === null || left === 0) return null
  return <p className="muted">{left === 1 ? '1 place left' : `${left} places left`}</p>
}
