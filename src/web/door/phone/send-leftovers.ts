import { Refusal } from '../../../contract/errors.ts'
import * as texts from '../../../texts/generated/door.ts'
import { notify } from '../../ui/notices/notify.ts'
import { isTooOld } from '../rules/clock.ts'
import { type Door, momentOf, openDoor } from './door.ts'
import { purgePast } from './purge.ts'
import { sendQueue } from './send-queue.ts'
import { queuedEvents, removeFromQueue } from './store.ts'
import { handleFailure } from './sync.ts'

/**
 * Sends the scans of doors that are not open now, for example after the battery was empty. Returns how many scans still wait that the
 * signed-in person may send; those of another club wait for somebody of that club.
 */
export async function sendLeftovers(): Promise<number> {
  await purgePast()
  let waiting = 0
  for (const eventId of await queuedEvents()) {
    const door = await openDoor(eventId)
    const failure: unknown = await sendQueue(door).catch((error: unknown) => error)
    if (failure !== undefined) await handleFailure(door, failure)
    if (isOfAnotherClub(failure)) await deleteOld(door)
    else waiting += door.queue.filter(({ problem }) => problem === undefined).length
  }
  return waiting
}

/** Whether the event belongs to another club or is gone. */
function isOfAnotherClub(failure: unknown): boolean {
  return failure instanceof Refusal && (failure.code === 'NOT_FOUND' || failure.code === 'NOT_ALLOWED')
}

/** Deletes scans that nobody could send for 30 days, and shows a notice. */
async function deleteOld(door: Door): Promise<void> {
  const now = momentOf(door)
  const old = door.queue.filter(({ made }) => isTooOld(made, now))
  if (old.length === 0) return
  await removeFromQueue(old.flatMap(({ order }) => order ?? []))
  const [first] = old
  notify('info', texts.deletedScans({ count: old.length, name: first?.by || texts.somebody() }))
}
