import type { Statistics } from '../../../contract/statistics.ts'
import { dayOf } from '../../statistics/chart/days.ts'

const DAYS = 14

/** The registrations of the last days, one by one up to today, with those on which nobody registered. */
export function lastDays(series: Statistics['series'], now: Date, timeZone: string): { day: number; count: number }[] {
  const counts = new Map(series.map(({ at, registrations }) => [dayOf(at, timeZone), registrations]))
  const first = dayOf(now, timeZone) - DAYS + 1
  return Array.from({ length: DAYS }, (_, index) => ({ day: first + index, count: counts.get(first + index) ?? 0 }))
}
