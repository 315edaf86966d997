import type { Statistics } from '../../contract/statistics.ts'
import { fromLocalInput } from '../../contract/values/dates.ts'

/** The minutes of the arrivals that the server counts together. */
const COUNTED = 5
/** The most bars that are still wide enough to point at on a phone. */
const MOST_BARS = 36
const steps = [COUNTED, 10, 15, 30, 60]
const MINUTE_MS = 60_000

/** The time in which people came on a day, in parts of equal length. */
export interface Arrivals {
  /** The length of a part, in minutes. */
  step: number
  /** When the first part begins, in minutes after the start of the day. */
  from: number
  parts: { at: Date; until: Date; count: number /** Those of the earlier days included. */; inAll: number }[]
}

/** The arrivals of `day` (yyyy-mm-dd), from the half hour in which the first came to that of the last; null when nobody came. */
export function arrivalsOf(
  { arrivals, series }: Pick<Statistics, 'arrivals' | 'series'>,
  day: string,
  timeZone: string,
): Arrivals | null {
  const start = fromLocalInput(`${day}T00:00`, timeZone)?.getTime()
  const rows = arrivals.map(({ at, checkins }) => ({ minute: (at.getTime() - (start ?? 0)) / MINUTE_MS, checkins }))
  const [first, last] = [rows[0], rows.at(-1)]
  if (start === undefined || !first || !last) return null
  const from = Math.floor(first.minute / 30) * 30
  const to = Math.max(from + 60, Math.ceil((last.minute + COUNTED) / 30) * 30)
  const step = steps.find((each) => (to - from) / each <= MOST_BARS) ?? 60
  let inAll = series.reduce((sum, { at, checkins }) => (at.getTime() < start ? sum + checkins : sum), 0)
  const parts: Arrivals['parts'] = []
  for (let minute = from; minute < to; minute += step) {
    const count = rows.reduce(
      (sum, row) => (row.minute >= minute && row.minute < minute + step ? sum + row.checkins : sum),
      0,
    )
    inAll += count
    const [at, until] = [minute, minute + step].map((each) => new Date(start + each * MINUTE_MS))
    if (at && until) parts.push({ at, until, count, inAll })
  }
  return { step, from, parts }
}
