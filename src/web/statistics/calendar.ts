import type { Event } from '../../contract/event.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { dayOf, formatDay, type Span, spansOf } from './chart/days.ts'

/** The most bars that are still wide enough to point at on a phone. */
const MOST_BARS = 31

interface Calendar {
  /** Every day, from the one before the first row to today or the event's end. */
  days: number[]
  /** The same time without the day before, in parts for bars. */
  spans: Span[]
  unit: ReturnType<typeof spansOf>['unit']
  /** The current year. */
  year: string
}

/** The time that a chart of these rows by day covers; `rows` has one at least, in order. */
export function calendarOf(rows: readonly { day: number }[], { endsAt, timeZone }: Event, now: Date): Calendar {
  const today = dayOf(now, timeZone)
  const from = rows[0]?.day ?? today
  const to = Math.max(from, rows.at(-1)?.day ?? from, Math.min(today, dayOf(endsAt, timeZone)))
  const days = Array.from({ length: to - from + 2 }, (_, index) => from - 1 + index)
  return { days, ...spansOf({ from, to }, MOST_BARS), year: formatDay(today).slice(6) }
}

/** The sum over the rows of these days. */
export function sumOf<R extends { day: number }>(
  rows: readonly R[],
  { from, to }: Span,
  amountOf: (row: R) => number,
): number {
  return rows.reduce((sum, row) => (row.day >= from && row.day <= to ? sum + amountOf(row) : sum), 0)
}

/** What a view of the sums is called. */
export const unitNames = { day: texts.byDay, week: texts.byWeek, month: texts.byMonth } as const
