import { Button, Group } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { attendeeApi } from '../../contract/attendees.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { download } from '../api/download.ts'
import { query } from '../api/query.ts'
import { ConflictCard } from '../door/dialogs/ConflictList.tsx'
import { Problem } from '../layouts/Problem.tsx'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { plural } from '../ui/plural.ts'
import { AttendeeFilters } from './AttendeeFilters.tsx'
import { AttendeePanel } from './AttendeePanel.tsx'
import { AttendeeTable } from './AttendeeTable.tsx'
import { useAttendeeSearch } from './attendee-filters.ts'
import { filtersOf } from './attendee-list.ts'
import { BulkBar } from './BulkBar.tsx'
import { RegistrationDialog } from './RegistrationDialog.tsx'
import { useAddDialog } from './use-add-dialog.ts'
import { useAttendees } from './use-attendees.ts'
import { useChoice } from './use-choice.ts'

/** An event's attendees: search, view, correct, check in, write to, export. */
export function AttendeesPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  return <Attendees event={event} />
}

function Attendees({ event }: { event: Event }) {
  const { current, change } = useAttendeeSearch()
  const [view, setView] = useState<readonly [number, number]>([0, 0])
  const { query: attendees, rows, total } = useAttendees(event.id, current, view)
  const [isAdding, setAdding] = useAddDialog()
  const filters = filtersOf(current)
  const isFiltered =
    filters.searchKeyword !== '' ||
    [filters.status, filters.checkin, filters.redeemed].some((each) => each !== undefined)
  const { chosen, choose, chooseAll, chooseNone } = useChoice(rows, JSON.stringify(filters))
  const clear = () => change({ q: '', status: '', checkin: '', redeemed: '' })
  useEffect(() => {
    const { hasNextPage, isFetching, isFetchNextPageError } = attendees
    // After a failure only on request; otherwise it would be requested in an endless loop.
    if (view[1] >= rows.length - 10 && hasNextPage && !isFetching && !isFetchNextPageError)
      void attendees.fetchNextPage()
  })
  // Here and not in the panel, since each attendee has its own.
  useFocusReturn(current.open !== undefined)

  return (
    <div className="page wide">
      <PageTitle title={`Attendees: ${event.name}`} />
      <div className="row spread">
        <div>
          <h1>Attendees</h1>
          <p className="muted">
            <Link to={paths.eventHome(event.id)}>{event.name}</Link>,{' '}
            {event.maxAttendees === null
              ? `${plural(event.registrationCount, 'place', 'places')} taken`
              : `${event.registrationCount} of ${event.maxAttendees} places taken`}
          </p>
        </div>
        <Group>
          <Button onClick={() => setAdding(true)}>Add somebody</Button>
          <ExportButton event={event} />
        </Group>
      </div>
      <ConflictCard event={event} />
      <AttendeeFilters current={current} onChange={change} />
      {chosen.size > 0 && (
        <BulkBar
          event={event}
          ids={[...chosen]}
          total={total}
          filters={filters}
          onAll={chooseAll}
          onDone={chooseNone}
        />
      )}
      {/* Always in the page, so that screen readers announce its changes. */}
      <p className="muted small" role="status">
        {attendees.isPending ? 'Searching …' : attendees.data ? countWords(total, isFiltered) : ''}
      </p>
      {attendees.isPending ? (
        <Loading />
      ) : !attendees.data ? (
        <Problem error={attendees.error} resetErrorBoundary={() => void attendees.refetch()} />
      ) : rows.length === 0 ? (
        <Nobody event={event} isFiltered={isFiltered} onClear={clear} />
      ) : (
        <AttendeeTable
          event={event}
          rows={rows}
          total={total}
          chosen={chosen}
          onChoose={choose}
          onOpen={(open) => change({ open })}
          onView={(first, last) => setView([first, last])}
        />
      )}
      {attendees.isFetchNextPageError && (
        <Group className="problem" role="alert">
          The rest of the list could not be loaded.
          <Button variant="light" loading={attendees.isFetchingNextPage} onClick={() => void attendees.fetchNextPage()}>
            Try again
          </Button>
        </Group>
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

function countWords(total: number, isFiltered: boolean): string {
  if (total === 0) return isFiltered ? 'Nobody matches.' : 'Nobody has registered yet.'
  return `${plural(total, 'attendee', 'attendees')}${isFiltered ? ' found' : ''}`
}

function ExportButton({ event }: { event: Event }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    // A refusal has been shown by the download itself.
    await download(attendeeApi.downloadAttendees, { eventId: event.id }).catch(() => {})
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
      <Button variant="light" onClick={onClear}>
        Show everybody
      </Button>
    )
  return (
    <p>
      {event.status === 'published' ? (
        <a href={paths.event(event)}>See the page that visitors see</a>
      ) : (
        <Link to={paths.editEvent(event.id)}>Publish the event</Link>
      )}
    </p>
  )
}
