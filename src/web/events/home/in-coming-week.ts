import type { Event } from '../../../contract/event.ts'
import { fromLocalInput, toLocalInput } from '../../../contract/values/dates.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000

/** The first start after now on the event's weekday and at its time of day, at least a week after the event itself. */
export function inComingWeek({ startsAt, timeZone }: Pick<Event, 'startsAt' | 'timeZone'>, now: Date): Date {
  const weeks = Math.max(1, Math.ceil((now.getTime() - startsAt.getTime()) / WEEK_MS))
  // Counted on the clock of the zone, because a week with a clock change is an hour shorter or longer.
  const clock = Date.parse(`${toLocalInput(startsAt, timeZone)}:00.000Z`) + weeks * WEEK_MS
  return fromLocalInput(new Date(clock).toISOString().slice(0, 16), timeZone) ?? startsAt
}
