import { Button, Group } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type Event, eventApi } from '../../contract/events.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { query } from '../api/call.ts'
import { download } from '../api/download.ts'
import { ConflictCard } from '../door/ConflictList.tsx'
import { Problem } from '../layouts/Problem.tsx'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { AdminOnly } from '../ui/AdminOnly.tsx'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { plural } from '../ui/plural.ts'
import { AttendeeFilters } from './AttendeeFilters.tsx'
import { AttendeePanel } from './AttendeePanel.tsx'
import { AttendeeTable } from './AttendeeTable.tsx'
import { useAttendeeSearch } from './attendee-filters.ts'
import { BulkBar } from './BulkBar.tsx'
import { RegistrationDialog } from './RegistrationDialog.tsx'
import { useAttendees } from './use-attendees.ts'

/** An event's attendees: find, look at, correct, check in, write to, export. */
export function AttendeesPage() {
  const eventId = readId(useParams().eventId)
  return <AdminOnly>{() => <LoadedEvent eventId={eventId} />}</AdminOnly>
}

function LoadedEvent({ eventId }: { eventId: number }) {
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  return <Attendees event={event} />
}

function Attendees({ event }: { event: Event }) {
  const { current, change } = useAttendeeSearch()
  const attendees = useAttendees(event.id, current)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const rows = attendees.data?.pages.flatMap((page) => page.attendees) ?? []
  const total = attendees.data?.pages[0]?.total ?? 0
  const isFiltered = current.q !== '' || current.status !== undefined || current.checkin !== undefined
  const choose = (ids: readonly number[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    setChosen(next)
  }

  return (
    <div className="page wide">
      <PageTitle title={`Attendees: ${event.name}`} />
      <div className="row spread">
        <div>
          <h1>Attendees</h1>
          <p className="muted">
            <Link to={paths.editEvent(event.id)}>{event.name}</Link>,{' '}
            {plural(event.registrationCount, 'place', 'places')} taken
            {event.maxAttendees !== null && ` of ${event.maxAttendees}`}
          </p>
        </div>
        <Group>
          <Button onClick={() => setAdding(true)}>Add somebody</Button>
          <ExportButton event={event} />
          <Button component={Link} to={paths.statistics(event.id)} variant="subtle">
            Statistics
          </Button>
        </Group>
      </div>
      <ConflictCard event={event} />
      <AttendeeFilters current={current} onChange={change} />
      {chosen.size > 0 && <BulkBar event={event} ids={[...chosen]} onDone={() => setChosen(new Set())} />}
      <p className="muted small" role="status">
        {attendees.isPending
          ? 'Looking …'
          : total === 0
            ? ''
            : `${plural(total, 'attendee', 'attendees')}${isFiltered ? ' found' : ''}`}
      </p>
      {attendees.isPending ? (
        <Loading />
      ) : attendees.isError ? (
        <Problem error={attendees.error} resetErrorBoundary={() => void attendees.refetch()} />
      ) : rows.length === 0 ? (
        <Nobody event={event} isFiltered={isFiltered} onClear={() => change({ q: '', status: '', checkin: '' })} />
      ) : (
        <AttendeeTable
          event={event}
          rows={rows}
          total={total}
          chosen={chosen}
          onChoose={choose}
          onOpen={(open) => change({ open })}
          onEnd={() => attendees.hasNextPage && !attendees.isFetching && void attendees.fetchNextPage()}
        />
      )}
      {current.open !== undefined && (
        <AttendeePanel
          key={current.open}
          event={event}
          id={current.open}
          neighbours={rows.map(({ rId }) => rId)}
          onOpen={(open) => change({ open })}
          onClose={() => change({ open: undefined })}
        />
      )}
      {isAdding && <RegistrationDialog event={event} registration={null} onClose={() => setAdding(false)} />}
    </div>
  )
}

function ExportButton({ event }: { event: Event }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    // A refusal has been shown by the download itself.
    await download(registrationApi.downloadAttendees, { eventId: event.id }).catch(() => {})
    setBusy(false)
  }
  return (
    <Button variant="light" loading={isBusy} onClick={() => void save()}>
      Export
    </Button>
  )
}

function Nobody({ event, isFiltered, onClear }: { event: Event; isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <p>
        Nobody matches.{' '}
        <Button variant="subtle" size="compact-md" onClick={onClear}>
          Show everybody
        </Button>
      </p>
    )
  return (
    <p>
      Nobody has registered yet.{' '}
      {event.status === 'published' ? (
        <a href={paths.event(event)}>See the page that visitors see</a>
      ) : (
        <Link to={paths.editEvent(event.id)}>Publish the event</Link>
      )}
    </p>
  )
}
