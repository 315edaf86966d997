import type { DoorTicket } from '../../../contract/door.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/door.ts'
import { formatAgo } from '../../events/home/format-ago.ts'

const DAY_MS = 24 * 60 * 60_000
/** A check-in so far in the future, in ms, means that the phone's estimate of the server's clock is wrong. */
const WRONG_CLOCK_MS = 60_000

/** `3 minutes ago (09:24)` and `by Ana, Gate B`; the date stands there too when it was on another day. */
export function firstWords({ at, by, device }: NonNullable<DoorTicket['in']>, now: Date, timeZone: string) {
  const isToday = formatDate(at, timeZone) === formatDate(now, timeZone)
  const time = `${isToday ? '' : `${formatDate(at, timeZone)}, `}${formatTime(at, timeZone)}`
  const name = by ?? texts.somebody()
  const passed = now.getTime() - at.getTime()
  const ago = formatAgo(at, now, timeZone)
  const when = passed < -WRONG_CLOCK_MS || passed >= DAY_MS ? time : texts.agoAt({ ago, time })
  return {
    when: when.charAt(0).toUpperCase() + when.slice(1),
    by: device === null ? texts.byPerson({ name }) : texts.byPersonOn({ name, device }),
  }
}
