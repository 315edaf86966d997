import type { QueuedScan } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import { newId } from '../../new-id.ts'
import { readSession } from '../../session/session.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { askServer } from './ask-server.ts'
import { type Door, emit, momentOf, serverNow, setCanPersist, setQueue, setRecent } from './door.ts'
import { clearCheckin, setCheckin, setUnpaid, setVoucher } from './persist-list.ts'
import { dismissStuck, sendQueue } from './send-queue.ts'
import { addToQueue, MOST_RECENT, type RecentScan, trimRecent, writeRecent } from './store.ts'

/** A scan's details as the latest scans show them. */
type Shown = Pick<RecentScan, 'ticketId' | 'name' | 'state' | 'purchase' | 'payment' | 'moved'>

interface Action {
  act: QueuedScan['act']
  scanId: string
  shown: Shown
}

/** Writes an action to the disk, to be sent later, and only then shows it on the page. Fails if it cannot be written. */
export function enqueue(door: Door, action: Action): Promise<void> {
  return write(door, action, action.scanId)
}

/** `shownId` is the scan that the page shows: for an undo, the scan that it undoes. */
async function write(door: Door, { act, scanId, shown }: Action, shownId: string): Promise<void> {
  const { eventId } = door
  const wasShownIn = act.kind !== 'undo'
  const by = readSession()?.user.fullName ?? ''
  const { ticketId, purchase, payment, moved } = shown
  const about = { ticketId, ...(purchase && { purchase }), ...(payment && { payment }), ...(moved && { moved }) }
  const entry: QueueEntry = { eventId, scanId, act, ...about, wasShownIn, by, made: momentOf(door) }
  const earlier = door.recent.find((each) => each.scanId === shownId)
  const recent: RecentScan = { ...shown, scanId: shownId, eventId, at: earlier?.at ?? serverNow(door) }
  const order = await addToQueue(entry, recent)
  setQueue(door, [...door.queue, { ...entry, order }], [ticketId])
  const others = door.recent.filter((each) => each.scanId !== shownId)
  setRecent(
    door,
    [recent, ...others].sort((a, b) => b.at.getTime() - a.at.getTime()),
  )
  emit(door)
  trimRecent(eventId).catch(() => {})
}

/** Takes back a scan of this phone, now or when there is network again. */
export async function takeBack(door: Door, scan: RecentScan): Promise<void> {
  const { scanId, ticketId, name, purchase, payment, moved } = scan
  // Shown as undone before it is written, so that a second tap does nothing.
  if (door.recent.find((each) => each.scanId === scanId)?.state === 'undone') return
  const about = { ...(purchase && { purchase }), ...(payment && { payment }), ...(moved && { moved }) }
  const shown = { ticketId, name, state: 'undone' as const, ...about }
  showRecent(door, { ...scan, state: 'undone' })
  const stuck = door.queue.find((entry) => entry.scanId === scanId && entry.problem !== undefined)
  if (stuck) {
    // The server has not taken it, so there is nothing to undo there.
    await dismissStuck(door, stuck)
    await writeRecent({ ...scan, state: 'undone' }).catch(() => {})
    return
  }
  const undo: Action = { act: { kind: 'undo', scanId }, scanId: newId(), shown }
  try {
    await write(door, undo, scanId)
  } catch {
    setCanPersist(door, false)
    // If it cannot be written to the disk, it is taken back only if the server confirms.
    const answer = door.connection === 'offline' ? null : await askServer(door, undo.act, undo.scanId)
    if (answer === null || answer.code !== null) {
      showRecent(door, scan)
      throw new Error(answer?.msg ?? texts.cannotNote())
    }
    if (purchase) setVoucher(door, ticketId, answer.extrasPurchase)
    else if (moved && answer.checkin) setCheckin(door, ticketId, answer.checkin)
    else {
      clearCheckin(door, ticketId)
      if (payment) setUnpaid(door, ticketId, payment)
    }
  }
  if (door.connection === 'online') await sendQueue(door).catch(() => {})
  emit(door)
}

/** Shows somebody whose name was corrected with that name among the latest scans. */
export async function renameRecent(door: Door, scanId: string, name: string): Promise<void> {
  const scan = door.recent.find((each) => each.scanId === scanId)
  if (!scan || scan.name === name) return
  showRecent(door, { ...scan, name })
  await writeRecent({ ...scan, name }).catch(() => {})
}

/** Replaces a scan among the latest scans. */
function showRecent(door: Door, scan: RecentScan): void {
  setRecent(
    door,
    door.recent.map((each) => (each.scanId === scan.scanId ? scan : each)),
  )
  emit(door)
}

/** Adds a scan that the server has decided to the latest scans, so that it can be taken back. */
export function addRecent(door: Door, scanId: string, shown: Omit<Shown, 'state'>): void {
  const scan: RecentScan = { ...shown, scanId, eventId: door.eventId, at: serverNow(door), state: 'in' }
  setRecent(door, [scan, ...door.recent].slice(0, MOST_RECENT))
  // Only for taking it back: the server already has the scan itself.
  writeRecent(scan)
    .then(() => trimRecent(door.eventId))
    .catch(() => {})
}
