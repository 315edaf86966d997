import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { AttendeeRow } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import type { AttendeeSearch } from '../attendee-filters.ts'
import { AttendeeCells } from './AttendeeCells.tsx'
import styles from './AttendeeTable.module.css'
import { type Column, checkinColumn, nameColumn } from './columns.ts'
import { useRowFocus } from './use-row-focus.ts'

interface Props {
  event: Event
  rows: AttendeeRow[]
  /** How many match; the rows may be only the first of them. */
  total: number
  columns: readonly Column[]
  /** Whether the screen is wide enough for a table of these columns. */
  isTable: boolean
  sort: AttendeeSearch['sort']
  onSort: (sort: AttendeeSearch['sort']) => void
  chosen: ReadonlySet<number>
  onChoose: (ids: readonly number[], isChosen: boolean) => void
  onChooseNone: () => void
  /** Who is open in the panel; while others are stepped to, the list follows. */
  openId: number | undefined
  onOpen: (id: number) => void
  /** Which rows are on the screen now. */
  onView: (first: number, last: number) => void
}

/** The list: a table where its columns fit, cards elsewhere. Only the rows in view are rendered, so that scrolling stays smooth. */
export function AttendeeTable(props: Props) {
  const { event, rows, total, columns, isTable, chosen, openId, onChoose, onOpen, onView } = props
  const list = useRef<HTMLDivElement>(null)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    // A row keeps its measured height when a search moves it.
    getItemKey: (index) => rows[index]?.rId ?? index,
    estimateSize: () => (isTable ? 57 : 78),
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
    // What lies over the list: its head and the bar of those chosen; the menu at the bottom.
    scrollPaddingStart: 120,
    scrollPaddingEnd: 130,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const tell = useEffectEvent(onView)
  useEffect(() => tell(first, last), [first, last])
  const move = useRowFocus(list, virtual, rows.length)

  const before = useRef(openId)
  const follow = useEffectEvent((id: number) => {
    const index = rows.findIndex(({ rId }) => rId === id)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
  })
  useEffect(() => {
    if (openId !== undefined && before.current !== undefined && before.current !== openId) follow(openId)
    before.current = openId
  }, [openId])

  const widths = [nameColumn, checkinColumn, ...columns].map((column) => `minmax(0, ${column.width}fr)`)
  const grid = isTable ? { gridTemplateColumns: `2.5rem ${widths.join(' ')}` } : undefined
  return (
    // A virtual table cannot be a <table>: its rows are placed by hand.
    // biome-ignore lint/a11y/useSemanticElements: see above; the roles say what it is.
    <div
      className={`${styles.attendees} ${isTable ? styles.table : styles.cards}`}
      role="table"
      aria-label={texts.attendees()}
      aria-rowcount={total + 1}
      ref={list}
    >
      <Head {...props} grid={grid} />
      {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }} onKeyDown={move}>
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
                data-open={row.rId === openId || undefined}
                data-chosen={chosen.has(row.rId) || undefined}
                ref={virtual.measureElement}
                style={{ ...grid, transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                <AttendeeCells {...{ event, row, columns, isTable, onChoose, onOpen }} isChosen={chosen.has(row.rId)} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

interface HeadProps extends Props {
  grid: React.CSSProperties | undefined
}

function Head({ rows, columns, chosen, isTable, grid, sort, onSort, onChoose, onChooseNone }: HeadProps) {
  const ids = rows.map(({ rId }) => rId)
  const isAll = ids.every((id) => chosen.has(id))
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; a row is not operated.
    <div className={`${styles.attendee} ${styles.head}`} role="row" aria-rowindex={1} style={grid}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above. */}
      <div className={styles.cell} role="columnheader">
        <Checkbox
          aria-label={texts.chooseAllLoaded({ count: rows.length })}
          label={isTable ? undefined : texts.all()}
          checked={isAll}
          indeterminate={!isAll && chosen.size > 0}
          onChange={() => (isAll ? onChooseNone() : onChoose(ids, true))}
        />
      </div>
      {[nameColumn, checkinColumn, ...columns].map((column: Column) => (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above.
        <div
          key={column.id}
          className={styles.cell}
          role="columnheader"
          aria-sort={column.sort && (column.sort === sort ? directions[column.sort] : 'none')}
        >
          {isTable && column.sort ? <SortButton column={column} sort={sort} onSort={onSort} /> : column.title()}
        </div>
      ))}
    </div>
  )
}

/** Each order has one direction: the latest first, and names from A to Z. */
const directions = { name: 'ascending', registration: 'descending', checkin: 'descending' } as const

function SortButton({ column, sort, onSort }: { column: Column } & Pick<Props, 'sort' | 'onSort'>) {
  const order = column.sort
  if (order === undefined) return column.title()
  const Icon = order !== sort ? IconArrowsSort : order === 'name' ? IconArrowUp : IconArrowDown
  return (
    <button type="button" className={styles.sort} onClick={() => onSort(order)}>
      {column.title()} <Icon size={16} stroke={2} aria-hidden />
    </button>
  )
}
