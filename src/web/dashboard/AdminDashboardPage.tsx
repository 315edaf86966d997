import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import { type Event, eventApi } from '../../contract/events.ts'
import { query, useCall } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { EventFacts } from '../events/EventFacts.tsx'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** A club's events for its staff. */
export function AdminDashboardPage() {
  const session = useSession()
  if (!session) return <Navigate to={paths.signin} />
  const { clubId, clubName } = session.user
  if (clubId === null) return <Navigate to={homeOf(session.user)} />
  return (
    <div className="page">
      <PageTitle title="Dashboard" />
      <div className="row spread">
        <h1>{clubName}</h1>
        <Button component={Link} to={paths.addEvent} size="md">
          Add an event
        </Button>
      </div>
      <EventCards clubId={clubId} />
    </div>
  )
}

function EventCards({ clubId }: { clubId: number }) {
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  if (events.length === 0)
    return <p>There is no event yet. Add the first one; it stays a draft until you publish it.</p>
  return (
    <ul className="cards">
      {events.map((event) => (
        <li key={event.id}>
          <EventCard event={event} />
        </li>
      ))}
    </ul>
  )
}

function EventCard({ event }: { event: Event }) {
  const save = useCall(eventApi.save)
  return (
    <article className="card event-card">
      <div>
        <div className="row">
          <span
            className={
              event.status === 'published' ? 'badge good' : event.status === 'cancelled' ? 'badge bad' : 'badge'
            }
          >
            {statusNames[event.status]}
          </span>
        </div>
        <h2>{event.name}</h2>
        <EventFacts event={event} />
        <p className="small">
          <strong>{event.registrationCount}</strong>
          {event.maxAttendees === null ? ' registered' : ` of ${event.maxAttendees} places taken`}
        </p>
        <div className="row">
          {event.status === 'draft' && (
            <Button loading={save.isPending} onClick={() => save.mutate({ id: event.id, status: 'published' })}>
              Publish
            </Button>
          )}
          {event.status === 'published' && (
            <Button component={Link} to={paths.scanner(event.id)}>
              Open scanner
            </Button>
          )}
          <Button component={Link} to={paths.editEvent(event.id)} variant="light">
            Edit
          </Button>
          {event.status === 'published' && (
            <Button component="a" href={paths.event(event)} variant="subtle">
              View page
            </Button>
          )}
        </div>
      </div>
    </article>
  )
}

const statusNames = { draft: 'Draft', published: 'Published', cancelled: 'Cancelled' } as const
