import { lose } from './contact.ts'
import { openDoor } from './door.ts'
import { countQueued, queuedEvents } from './door-store.ts'
import { forgetPast } from './forget.ts'
import { sendQueue } from './send-queue.ts'

/** Sends what this phone did at doors that are not open now, as after a battery was empty. */
export async function sendLeftovers(): Promise<void> {
  await forgetPast()
  for (const eventId of await queuedEvents()) {
    const door = await openDoor(eventId)
    // Without the list the phone reckons as it did then.
    door.ahead = door.queue.at(-1)?.made.ahead ?? door.ahead
    await sendQueue(door).catch((error: unknown) => lose(door, error))
  }
}

/** How many scans of this phone wait to be sent. */
export function countLeftovers(): Promise<number> {
  return countQueued()
}
