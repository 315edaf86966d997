import { formatDate, toLocalInput } from '../../../contract/values/dates.ts'
import { currentLanguage } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/numbers.ts'

const DAY_MS = 24 * 60 * 60_000

/** Days of the calendar are counted from 01/01/1970, a Thursday. */
const FIRST_MONDAY = 4

/** Consecutive days, the last included. */
export interface Span {
  from: number
  to: number
}

/** The day of the zone's calendar as a number, so that days can be counted whatever the clock does in between. */
export function dayOf(moment: Date, timeZone: string): number {
  return dayFrom(toLocalInput(moment, timeZone).slice(0, 10))
}

/** The number of the day `yyyy-mm-dd`. */
export function dayFrom(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS
}

/** The day as `yyyy-mm-dd`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The day as dd/mm/yyyy. */
export function formatDay(day: number): string {
  return formatDate(new Date(day * DAY_MS), 'UTC')
}

/** `Friday 20/11/2026`, or `16/11/2026 to 22/11/2026` for several days. */
export function formatDays({ from, to }: Span): string {
  if (from !== to) return `${formatDay(from)} to ${formatDay(to)}`
  const weekday = new Intl.DateTimeFormat(localeOf(currentLanguage()), { weekday: 'long', timeZone: 'UTC' }).format(
    from * DAY_MS,
  )
  return `${weekday} ${formatDay(from)}`
}

/** Divides days into single days, or into weeks from Monday on, or into months: whichever gives no more than `most` parts. */
export function spansOf({ from, to }: Span, most: number): { unit: 'day' | 'week' | 'month'; spans: Span[] } {
  const divide = (endOf: (day: number) => number) => {
    const spans: Span[] = []
    for (let start = from; start <= to; start = endOf(start) + 1) spans.push({ from: start, to: endOf(start) })
    return spans
  }
  if (to - from < most) return { unit: 'day', spans: divide((day) => day) }
  if ((to - from) / 7 < most - 1) return { unit: 'week', spans: divide(endOfWeek) }
  return { unit: 'month', spans: divide(endOfMonth) }
}

const endOfWeek = (day: number) => day + 6 - ((((day - FIRST_MONDAY) % 7) + 7) % 7)

function endOfMonth(day: number): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY_MS
}
