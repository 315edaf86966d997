import { Refusal } from '../../../contract/errors.ts'
import { notify } from '../../ui/notices/notify.ts'
import { plural } from '../../ui/plural.ts'
import { isTooOld } from '../rules/queue-entry.ts'
import { type Door, momentOf, openDoor } from './door.ts'
import { purgePast } from './purge.ts'
import { sendQueue } from './send-queue.ts'
import { queuedEvents, removeFromQueue } from './store.ts'
import { handleFailure } from './sync.ts'

/**
 * Sends what this phone did at doors that are not open now, as after a battery was empty. Answers how many scans still wait that whoever is
 * signed in could send; those of another club wait for somebody of that club.
 */
export async function sendLeftovers(): Promise<number> {
  await purgePast()
  let waiting = 0
  for (const eventId of await queuedEvents()) {
    const door = await openDoor(eventId)
    // Without the list the phone reckons as it did then.
    door.ahead = door.queue.at(-1)?.made.ahead ?? door.ahead
    const failure: unknown = await sendQueue(door).catch((error: unknown) => error)
    if (failure !== undefined) await handleFailure(door, failure)
    if (isOfOthers(failure)) await giveUpOld(door)
    else waiting += door.queue.filter(({ problem }) => problem === undefined).length
  }
  return waiting
}

/** Whether the event is another club's, or gone. */
function isOfOthers(failure: unknown): boolean {
  return failure instanceof Refusal && (failure.code === 'NOT_FOUND' || failure.code === 'NOT_ALLOWED')
}

/** What nobody came to send for so long goes, not without a word. */
async function giveUpOld(door: Door): Promise<void> {
  const now = momentOf(door)
  const old = door.queue.filter(({ made }) => isTooOld(made, now))
  if (old.length === 0) return
  await removeFromQueue(old.flatMap(({ order }) => order ?? []))
  const scans = plural(old.length, 'scan', 'scans')
  const [first] = old
  notify(
    'info',
    `${scans} by ${first?.by || 'somebody'}, of an event that is gone or another club’s, could not be sent for 30 days. This phone has deleted them.`,
  )
}
