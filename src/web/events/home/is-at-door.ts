import type { Event } from '../../../contract/event.ts'

/** How long before the start the door becomes what matters. */
const DOOR_MS = 12 * 60 * 60_000

/** Whether an event is on or starts within hours. */
export function isAtDoor({ startsAt, endsAt }: Pick<Event, 'startsAt' | 'endsAt'>, now: Date): boolean {
  return startsAt.getTime() - now.getTime() < DOOR_MS && now < endsAt
}

/** Whether an event is announced and not over. */
export function isLive({ status, endsAt }: Pick<Event, 'status' | 'endsAt'>, now: Date): boolean {
  return status === 'published' && now < endsAt
}
