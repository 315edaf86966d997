import { Checkbox } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { AttendeeRow } from '../../contract/attendees.ts'
import type { Event } from '../../contract/events.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import styles from './attendees.module.css'
import { StatusBadges } from './StatusBadges.tsx'

interface Props {
  event: Event
  rows: AttendeeRow[]
  /** How many match; the rows may be only the first of them. */
  total: number
  chosen: ReadonlySet<number>
  onChoose: (ids: readonly number[], isChosen: boolean) => void
  onOpen: (id: number) => void
  /** Which rows are on the screen now. */
  onView: (first: number, last: number) => void
}

/** The list: a table on a large screen, cards on a phone. Only the rows in view are rendered, so that scrolling stays smooth. */
export function AttendeeTable({ event, rows, total, chosen, onChoose, onOpen, onView }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    // A row keeps its measured height when a search moves it.
    getItemKey: (index) => rows[index]?.rId ?? index,
    estimateSize: () => (window.innerWidth < 1280 ? 132 : 57),
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const tell = useEffectEvent(onView)
  useEffect(() => tell(first, last), [first, last])

  const ids = rows.map(({ rId }) => rId)
  const isAll = ids.every((id) => chosen.has(id))
  return (
    // A virtual table cannot be a <table>: its rows are placed by hand.
    // biome-ignore lint/a11y/useSemanticElements: see above; the roles say what it is.
    <div className={styles.attendees} role="table" aria-label="Attendees" aria-rowcount={total + 1} ref={list}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; a row is not operated. */}
      <div className={`${styles.attendee} ${styles.head}`} role="row" aria-rowindex={1}>
        <Cell isHead>
          <Checkbox
            aria-label={`Choose all ${rows.length} loaded`}
            checked={isAll}
            indeterminate={!isAll && ids.some((id) => chosen.has(id))}
            onChange={() => onChoose(ids, !isAll)}
          />
        </Cell>
        {['Id', 'Name', 'E-mail', 'Phone', 'Registered', 'Vouchers', 'Status'].map((title) => (
          <Cell isHead key={title}>
            {title}
          </Cell>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; its name is the button.
              <div
                key={row.rId}
                className={styles.attendee}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                ref={virtual.measureElement}
                style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                <AttendeeCells
                  event={event}
                  row={row}
                  isChosen={chosen.has(row.rId)}
                  onChoose={onChoose}
                  onOpen={onOpen}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

interface CellsProps {
  event: Event
  row: AttendeeRow
  isChosen: boolean
  onChoose: Props['onChoose']
  onOpen: Props['onOpen']
}

function AttendeeCells({ event, row, isChosen, onChoose, onOpen }: CellsProps) {
  const { registration } = row
  const { name, email, phone } = registration.registrationData
  const { registrationTime } = registration
  return (
    <>
      <Cell>
        <Checkbox aria-label={`Choose ${name}`} checked={isChosen} onChange={() => onChoose([row.rId], !isChosen)} />
      </Cell>
      <Cell>{String(row.rId).padStart(5, '0')}</Cell>
      <Cell>
        <button type="button" className={styles.name} onClick={() => onOpen(row.rId)}>
          {name}
        </button>
      </Cell>
      <Cell>{email}</Cell>
      <Cell>{phone}</Cell>
      <Cell>
        {formatDate(registrationTime, event.timeZone)} {formatTime(registrationTime, event.timeZone)}
      </Cell>
      <Cell>{voucherWords(row)}</Cell>
      <Cell>
        <StatusBadges event={event} row={row} />
      </Cell>
    </>
  )
}

/** How many of an attendee's vouchers are used up; empty for none. */
function voucherWords({ extras }: AttendeeRow): string {
  const used = extras.filter(({ status }) => status).length
  return extras.length === 0 ? '' : `${used} of ${extras.length} redeemed`
}

function Cell({ isHead = false, children }: { isHead?: boolean; children: React.ReactNode }) {
  return (
    <div className={styles.cell} role={isHead ? 'columnheader' : 'cell'}>
      {children}
    </div>
  )
}
