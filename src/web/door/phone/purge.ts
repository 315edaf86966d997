import { keptEvents, purgePeople, storedEvents } from './store.ts'

/** After an event its list stays this long, for what comes late. */
const KEPT_AFTER_MS = 24 * 60 * 60_000

/** Nobody is signed in any more: no list stays on this phone. */
export async function purgeAll(): Promise<void> {
  for (const eventId of await storedEvents()) await purgePeople(eventId)
}

/** The lists of events that are over go, by the server's clock as the phone last heard it. */
export async function purgePast(): Promise<void> {
  for (const { eventId, endsAt, ahead } of await keptEvents())
    if (isPast(endsAt, Date.now() + ahead)) await purgePeople(eventId)
}

/** Whether an event has been over for so long that nothing of it is kept. */
export function isPast(endsAt: Date, now: number): boolean {
  return now > endsAt.getTime() + KEPT_AFTER_MS
}
