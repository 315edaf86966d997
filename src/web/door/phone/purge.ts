import { may } from '../../session/may.ts'
import type { SessionUser } from '../../session/session.ts'
import { forgetPractised } from '../practice/practised.ts'
import { listedEvents, purgePeople, storedEvents } from './store.ts'

/** A list is kept this long after its event, for scans that are sent late, in ms. */
const KEPT_AFTER_MS = 24 * 60 * 60_000

/** Removes all lists from this phone, and what was practised on it, because nobody is signed in any more. */
export async function purgeAll(): Promise<void> {
  forgetPractised()
  for (const eventId of await storedEvents()) await purgePeople(eventId)
}

/** Removes the lists of events at whose door this person may not work any more. */
export async function purgeForbidden(user: Pick<SessionUser, 'permissions' | 'eventIds'>): Promise<void> {
  const isAllowed = (eventId: number) => may(user, 'door') && (user.eventIds?.includes(eventId) ?? true)
  for (const eventId of await storedEvents()) if (!isAllowed(eventId)) await purgePeople(eventId)
}

/** Removes the lists of events that are long over, by the server's clock as the phone last heard it. */
export async function purgePast(): Promise<void> {
  for (const { eventId, endsAt, clockOffset } of await listedEvents())
    if (isExpired(endsAt, Date.now() + clockOffset)) await purgePeople(eventId)
}

/** Whether an event has been over for so long that its list is deleted. */
export function isExpired(endsAt: Date, now: number): boolean {
  return now > endsAt.getTime() + KEPT_AFTER_MS
}
