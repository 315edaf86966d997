import { doorApi } from '../../../contract/door.ts'
import { call } from '../../api/call.ts'
import { type Door, setOthers } from '../phone/door.ts'
import { pauseUntil } from '../phone/pause.ts'
import { syncNow } from '../phone/sync.ts'
import { toOtherEvents } from '../rules/other-event.ts'
import { writeOthers } from './others-store.ts'

/** How often it is loaded again, in ms, and the pause after a failure. */
const RENEW_MS = 15 * 60_000
const RETRY_MS = 30_000

/** Keeps what names the event of a ticket that is of another one of the club. It is loaded after the list, which is needed first. */
export async function keepOthers(door: Door, signal: AbortSignal): Promise<void> {
  await syncNow(door)
  while (!signal.aborted && !door.isGone) {
    const isLoaded = await load(door).catch(() => false)
    await pauseUntil(isLoaded ? RENEW_MS : RETRY_MS, signal)
  }
}

async function load(door: Door): Promise<boolean> {
  if (!door.list) return false
  const { eventId } = door
  const others = toOtherEvents(await call(doorApi.getOtherTickets, { eventId }, { quiet: true, background: true }))
  // Access may have ended meanwhile, with which everything is deleted.
  if (door.isGone) return false
  setOthers(door, others)
  await writeOthers(eventId, others)
  return true
}
