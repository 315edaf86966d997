import { useSuspenseQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import { query } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { EventForm } from './EventForm.tsx'
import { fromEvent, newEventValues } from './event-form-values.ts'

/** Adds an event to the own club, or edits the one of the address. */
export function EventFormPage() {
  const { eventId } = useParams()
  const session = useSession()
  if (!session) return <Navigate to={paths.signin} />
  const { clubId } = session.user
  if (clubId === null) return <Navigate to={homeOf(session.user)} />
  const title = eventId ? 'Edit the event' : 'Add an event'
  return (
    <div className="page narrow">
      <PageTitle title={title} />
      <h1>{title}</h1>
      {eventId ? <EditEvent eventId={Number(eventId)} /> : <AddEvent clubId={clubId} />}
    </div>
  )
}

function AddEvent({ clubId }: { clubId: number }) {
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  return <EventForm event={null} values={newEventValues(club)} />
}

function EditEvent({ eventId }: { eventId: number }) {
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  return <EventForm event={event} values={fromEvent(event)} />
}
