import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import { onSale } from '../../contract/ticket-type.ts'
import { ticketTypeApi } from '../../contract/ticket-types.ts'
import { offeredBy } from '../../contract/values/languages.ts'
import * as texts from '../../texts/generated/eventForm.ts'
import { query } from '../api/query.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { Parts } from '../ui/Parts.tsx'
import { EventForm } from './EventForm.tsx'
import styles from './EventFormPage.module.css'
import { fromEvent, newEventValues } from './event-form-values.ts'
import { MoreForEvent } from './home/MoreForEvent.tsx'

/** Adds an event to the user's own club, or edits the one in the address. */
export function EventFormPage() {
  const { eventId } = useParams()
  return <div className={`page ${styles.page}`}>{eventId ? <EditEvent eventId={readId(eventId)} /> : <AddEvent />}</div>
}

function AddEvent() {
  const clubId = useOwnClub()
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId }))
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  const may = useMay()
  return (
    <>
      <h1>{texts.addAnEvent()}</h1>
      {events.length === 0 && (
        <p>
          <Parts
            of={texts.usualZone({
              zone: club.timeZone,
              currency: club.currency.toUpperCase(),
              link: (text) => (may('club') ? <Link to={paths.editClub(clubId)}>{text}</Link> : text),
            })}
          />
        </p>
      )}
      <EventForm event={null} values={newEventValues(club)} colour={club.colour} onReload={() => {}} />
    </>
  )
}

function EditEvent({ eventId }: { eventId: number }) {
  const { data, refetch } = useSuspenseQuery({ ...query(eventApi.getEvent, { eventId }), staleTime: 0 })
  // A change of the event elsewhere does not replace the form while it is being filled in.
  const [event, setEvent] = useState(data)
  const reload = () => void refetch().then((latest) => latest.data && setEvent(latest.data))
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId: event.clubId }))
  const { data: types } = useSuspenseQuery(query(ticketTypeApi.getTicketTypes, { eventId }))
  const values = fromEvent(event)
  return (
    <>
      <div className={`row spread ${styles.head}`}>
        <div>
          <h1>{texts.settings()}</h1>
          <p className="muted">
            <Link to={paths.eventHome(eventId)}>{event.name}</Link>
          </p>
        </div>
        <div className={`row tight ${styles.actions}`}>
          {offeredBy(club).length > 1 && (
            <Button component={Link} variant="light" to={paths.translations(eventId)}>
              {texts.translations()}
            </Button>
          )}
          <MoreForEvent event={data} on="settings" />
        </div>
      </div>
      <EventForm
        key={event.version}
        event={event}
        values={values}
        colour={club.colour}
        hasSeveralTickets={onSale(types).length > 1}
        onReload={reload}
      />
    </>
  )
}
