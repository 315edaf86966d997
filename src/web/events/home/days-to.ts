import type { Event } from '../../../contract/event.ts'
import * as texts from '../../../texts/generated/overview.ts'
import { dayOf } from '../../statistics/chart/days.ts'

/** How long until the event starts, in days of its own calendar: at eleven in the evening, the next morning is `tomorrow`. */
export function daysTo({ startsAt, timeZone }: Pick<Event, 'startsAt' | 'timeZone'>, now: Date): string {
  const count = dayOf(startsAt, timeZone) - dayOf(now, timeZone)
  if (count <= 0) return texts.startsToday()
  return count === 1 ? texts.startsTomorrow() : texts.inDays({ count })
}
