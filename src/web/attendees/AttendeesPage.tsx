import { Button, Group, NativeSelect } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { attendeeApi } from '../../contract/attendees.ts'
import { doorApi } from '../../contract/door.ts'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { extrasApi } from '../../contract/extras.ts'
import { visitorTicketTypeApi } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/attendees.ts'
import { formatNumber } from '../../texts/numbers.ts'
import { download } from '../api/download.ts'
import { query } from '../api/query.ts'
import { ConflictCard } from '../door/dialogs/ConflictList.tsx'
import { Problem } from '../layouts/Problem.tsx'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { NobodyYet } from '../statistics/NobodyYet.tsx'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { useNow } from '../ui/use-now.ts'
import { AttendeeFilters } from './AttendeeFilters.tsx'
import { type AttendeeSearch, useAttendeeSearch } from './attendee-filters.ts'
import { filtersOf } from './attendee-list.ts'
import styles from './attendees.module.css'
import { BulkBar } from './BulkBar.tsx'
import { AttendeeTable } from './list/AttendeeTable.tsx'
import { ColumnsMenu } from './list/ColumnsMenu.tsx'
import { useColumns } from './list/use-columns.ts'
import { AttendeePanel } from './panel/AttendeePanel.tsx'
import { RegistrationDialog } from './RegistrationDialog.tsx'
import { StatusTabs } from './StatusTabs.tsx'
import { statusTabs } from './status-tabs.ts'
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
  const { current, change, addressWith } = useAttendeeSearch()
  const [view, setView] = useState<readonly [number, number]>([0, 0])
  const { query: attendees, rows, total, counts } = useAttendees(event.id, current, view)
  const columns = useColumns(event, rows)
  const [isAdding, setAdding] = useAddDialog()
  const filters = filtersOf(current)
  const isFiltered =
    filters.searchKeyword !== '' ||
    [filters.status, filters.checkin, filters.redeemed, filters.ticketTypeId, filters.orderId, filters.codeId].some(
      (each) => each !== undefined,
    )
  const { chosen, choose, chooseAll, chooseNone } = useChoice(rows, JSON.stringify(filters))
  const { data: ticketTypes = [] } = useQuery(query(visitorTicketTypeApi.getTicketTypes, { eventId: event.id }))
  const { data: extras = [] } = useQuery(query(extrasApi.getExtras, { eventId: event.id }))
  // Vouchers already sold can be filtered by after the last one is taken off sale.
  const showsVouchers = extras.length > 0 || current.redeemed !== undefined || rows.some((row) => row.extras.length > 0)
  // Once shown, the filter stays: the next search may find nobody with vouchers.
  const [hasVouchers, setHasVouchers] = useState(showsVouchers)
  if (showsVouchers && !hasVouchers) setHasVouchers(true)
  const clear = () => change({ q: '', status: '', checkin: '', redeemed: '', type: '', order: '', code: '' })
  const sortBy = (sort: AttendeeSearch['sort']) => change({ sort })
  useEffect(() => {
    const { hasNextPage, isFetching, isFetchNextPageError } = attendees
    // After a failure only on request; otherwise it would be requested in an endless loop.
    if (view[1] >= rows.length - 10 && hasNextPage && !isFetching && !isFetchNextPageError)
      void attendees.fetchNextPage()
  })
  const lastOpen = useRef(current.open)
  useEffect(() => {
    if (current.open !== undefined) lastOpen.current = current.open
  }, [current.open])
  // To the name of who was open last, however many others were open in between.
  useFocusReturn(current.open !== undefined, () => document.querySelector(`[data-attendee="${lastOpen.current}"]`))
  const now = useNow()
  const may = useMay()
  const isEmpty = attendees.data !== undefined && !attendees.isPlaceholderData && total === 0 && !isFiltered
  const tabs = statusTabs({
    current,
    counts,
    total: attendees.data && !attendees.isPlaceholderData ? total : null,
    hasPrice: columns.hasPrice,
  })

  return (
    <div className={`page wide ${styles.page}`} data-chosen={chosen.size > 0 || undefined}>
      <PageTitle title={texts.pageTitle({ event: event.name })} />
      <Header event={event} isEmpty={isEmpty} onAdd={() => setAdding(true)} />
      <ConflictCard event={event} />
      {!isEmpty && (
        <AttendeeFilters current={current} onChange={change} hasVouchers={hasVouchers} ticketTypes={ticketTypes} />
      )}
      {(current.order !== undefined || current.code !== undefined) && (
        <p className="row">
          <strong>
            {current.order === undefined
              ? texts.onlyCode({ code: rows[0]?.code ?? '…' })
              : texts.onlyOrder({ id: String(current.order).padStart(5, '0') })}
          </strong>
          <Button variant="light" size="compact-md" onClick={clear}>
            {texts.showEverybody()}
          </Button>
        </p>
      )}
      {!isEmpty && <StatusTabs tabs={tabs} toAddress={addressWith} />}
      <div className={styles.tools} data-list={rows.length > 0 || undefined} data-empty={isEmpty || undefined}>
        {/* Always in the page, so that screen readers announce its changes. */}
        <p className="muted small" role="status">
          {attendees.isPending || attendees.isPlaceholderData
            ? texts.searching()
            : attendees.data
              ? countWords(total, isFiltered)
              : ''}
        </p>
        <SortSelect current={current.sort} columns={columns} onSort={sortBy} />
        <ColumnsMenu {...columns} />
      </div>
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
      {attendees.isPending ? (
        <Loading />
      ) : !attendees.data ? (
        <Problem error={attendees.error} resetErrorBoundary={() => void attendees.refetch()} />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <Button variant="light" onClick={clear}>
            {texts.showEverybody()}
          </Button>
        ) : (
          <NobodyYet event={event} now={now} isAdmin={may('attendees')} onAdd={() => setAdding(true)} />
        )
      ) : (
        <AttendeeTable
          event={event}
          rows={rows}
          total={total}
          columns={columns.shown}
          isTable={columns.isTable}
          sort={current.sort}
          onSort={sortBy}
          chosen={chosen}
          onChoose={choose}
          onChooseNone={chooseNone}
          openId={current.open}
          onOpen={(open) => change({ open })}
          onView={(first, last) => setView([first, last])}
        />
      )}
      {attendees.isFetchNextPageError && (
        <Group className="problem" role="alert">
          {texts.restNotLoaded()}
          <Button variant="light" loading={attendees.isFetchingNextPage} onClick={() => void attendees.fetchNextPage()}>
            {texts.tryAgain()}
          </Button>
        </Group>
      )}
      {current.open !== undefined && (
        <AttendeePanel
          event={event}
          id={current.open}
          rows={rows}
          total={total}
          onOpen={(open) => change({ open })}
          onClose={() => change({ open: undefined })}
        />
      )}
      {isAdding && may('attendees') && (
        <RegistrationDialog event={event} registration={null} onClose={() => setAdding(false)} />
      )}
    </div>
  )
}

function Header({ event, isEmpty, onAdd }: { event: Event; isEmpty: boolean; onAdd: () => void }) {
  const may = useMay()
  const about = {
    event: event.name,
    link: (text: string) => <Link to={paths.eventHome(event.id)}>{text}</Link>,
  }
  return (
    <div className={styles.header}>
      <h1>{texts.attendees()}</h1>
      <p className="muted">
        <Parts
          of={
            event.maxAttendees === null
              ? texts.placesTaken({ ...about, count: event.registrationCount })
              : texts.placesTakenOf({
                  ...about,
                  taken: formatNumber(event.registrationCount),
                  places: formatNumber(event.maxAttendees),
                })
          }
        />
      </p>
      {!isEmpty && (
        <Group gap="xs" wrap="nowrap">
          {may('attendees') && (
            <Button onClick={onAdd}>
              <IconUserPlus className={styles.icon} size={18} aria-hidden />
              <Parts of={texts.addSomebody({ word: (text) => <span className={styles.word}>{text}</span> })} />
            </Button>
          )}
          {may('export') && <ExportButton event={event} />}
          {may('door') && event.registrationCount > 0 && <PaperButton event={event} />}
        </Group>
      )}
    </div>
  )
}

const orders = [
  { label: texts.newestFirst, value: 'registration' },
  { label: texts.latestCheckin, value: 'checkin' },
  { label: texts.byName, value: 'name' },
] as const

interface SortProps {
  current: AttendeeSearch['sort']
  columns: ReturnType<typeof useColumns>
  onSort: (sort: AttendeeSearch['sort']) => void
}

/** The order as a select, where not every order has a head to press: on cards, and without the column of the registrations. */
function SortSelect({ current, columns: { isTable, shown }, onSort }: SortProps) {
  if (isTable && shown.some(({ id }) => id === 'registered')) return null
  return (
    <NativeSelect
      className={styles.sort}
      aria-label={texts.sort()}
      data={orders.map(({ label, value }) => ({ label: label(), value }))}
      value={current}
      onChange={({ target }) => onSort(orders.find(({ value }) => value === target.value)?.value ?? 'registration')}
    />
  )
}

function countWords(total: number, isFiltered: boolean): string {
  if (total === 0) return isFiltered ? texts.nobodyMatches() : texts.nobodyYet()
  return isFiltered ? texts.attendeesFound({ count: total }) : texts.attendeeCount({ count: total })
}

/** For a clipboard at the door. Not on phones, which have no printer beside them; there it is in the event's menu. */
function PaperButton({ event }: { event: Event }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await download(doorApi.getPaperList, { eventId: event.id }).catch(() => {})
    setBusy(false)
  }
  return (
    <Button variant="light" visibleFrom="sm" loading={isBusy} onClick={() => void save()}>
      {texts.printList()}
    </Button>
  )
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
      {texts.exportIt()}
    </Button>
  )
}
