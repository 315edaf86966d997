import type { DoorTicket } from '../../../contract/door.ts'
import type { Moment } from '../rules/clock.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { countTickets, type TicketList } from '../rules/ticket-list.ts'
import { type DoorDevice, readDevice, storeDevice } from './device.ts'
import type { HedgedRequest } from './hedged-request.ts'
import { purgePast } from './purge.ts'
import { type RecentScan, readList, readQueue, readRecent } from './store.ts'

/** What the page shows of the door. */
export interface DoorView {
  list: TicketList | null
  device: DoorDevice
  recent: readonly RecentScan[]
  /** Whether the server can be reached; `unknown` before the first try. */
  connection: 'unknown' | 'online' | 'offline'
  /** Whether the list is as the server has it: the last sync succeeded. */
  isFresh: boolean
  /** How many scans wait to be sent, and those that the server did not accept. */
  queued: number
  stuck: readonly QueueEntry[]
  inside: number
  total: number
  /** Whether access was revoked, or the event removed. */
  isGone: boolean
  /** Whether what is done without network can be written to this phone's disk. */
  canPersist: boolean
}

/** One event's door on this phone: what its parts share. Only this file and sync.ts write to it, and send-queue.ts to `sending`. */
export interface Door {
  readonly eventId: number
  list: TicketList | null
  /** What this phone did and the server has not answered, in its order. */
  queue: readonly QueueEntry[]
  /** What the queue says of tickets: let in here, or taken back (null). */
  localCheckins: Map<number, DoorTicket['in']>
  /** What was last done here, latest first. */
  recent: readonly RecentScan[]
  device: DoorDevice
  connection: DoorView['connection']
  isFresh: boolean
  /** When the server was last heard of, by the page's own clock. */
  lastContactAt: number
  /** How far the server's clock is ahead of the phone's, in ms. */
  clockOffset: number
  isGone: boolean
  canPersist: boolean
  /** Scans whose answer never came, by what was scanned: the same again is the same scan. */
  unansweredScans: Map<string, UnansweredScan>
  /** When the server last answered for a ticket, by the page's own clock. */
  answeredAt: Map<number, number>
  /** The cursor from which the next sync asks once more; null for the list's own. */
  repeatFrom: string | null
  /** Tickets that could not be written to the disk yet. */
  unpersisted: Set<number>
  /** The sync that is under way, and its request. */
  syncing: Promise<void> | null
  request: Pick<HedgedRequest<unknown>, 'restart' | 'cancel'> | null
  /** The sending that is under way. */
  sending: AbortController | null
  /** When this page was opened, by the phone's clock at the last sync; null before the first. A clock that was set since shows by it. */
  pageOpenedAt: number | null
  /** When the list was last written to the disk, by the phone's clock. */
  persistedAt: number
  view: DoorView
  listeners: Set<() => void>
}

interface UnansweredScan {
  scanId: string
  ticketId: number | null
}

/** Identifies this page load. */
const PAGE_LOAD = `${Date.now()}-${Math.random()}`

/** The door as it was kept on this phone, before anything is asked. */
export async function openDoor(eventId: number): Promise<Door> {
  const door = newDoor(eventId)
  try {
    await purgePast()
    const stored = await readList(eventId)
    door.list = stored?.list ?? null
    door.queue = await readQueue(eventId)
    door.recent = await readRecent(eventId)
    // Without a list, time is counted as when the latest scan was made.
    door.clockOffset = stored?.clockOffset ?? door.queue.at(-1)?.made.ahead ?? 0
  } catch {
    // A browser that keeps nothing, as in some private windows: the door works while there is network.
    door.canPersist = false
  }
  for (const { ticketId } of door.queue) updateLocalCheckin(door, ticketId)
  emit(door)
  return door
}

function newDoor(eventId: number): Door {
  const device = readDevice()
  const seen = { list: null, device, connection: 'unknown', isFresh: false, isGone: false, canPersist: true } as const
  return {
    ...seen,
    eventId,
    queue: [],
    localCheckins: new Map(),
    recent: [],
    lastContactAt: 0,
    clockOffset: 0,
    unansweredScans: new Map(),
    answeredAt: new Map(),
    repeatFrom: null,
    unpersisted: new Set(),
    syncing: null,
    request: null,
    sending: null,
    pageOpenedAt: null,
    persistedAt: 0,
    view: { ...seen, recent: [], queued: 0, stuck: [], inside: 0, total: 0 },
    listeners: new Set(),
  }
}

/** Lets the page see what has changed. */
export function emit(door: Door): void {
  const { list, device, recent, connection, isFresh, queue, localCheckins, isGone, canPersist } = door
  const stuck = queue.filter(({ problem }) => problem !== undefined)
  const counts = list ? countTickets(list, localCheckins) : { inside: 0, total: 0 }
  const queued = queue.length - stuck.length
  door.view = { list, device, recent, connection, isFresh, queued, stuck, ...counts, isGone, canPersist }
  for (const listener of door.listeners) listener()
}

/** For `useSyncExternalStore`. */
export function subscribe(door: Door, listener: () => void): () => void {
  door.listeners.add(listener)
  return () => door.listeners.delete(listener)
}

export function setDevice(door: Door, change: Partial<DoorDevice>): void {
  door.device = storeDevice({ ...door.device, ...change })
  emit(door)
}

/** Notes whether what is done here can be written to this phone's disk. */
export function setCanPersist(door: Door, canPersist: boolean): void {
  door.canPersist = canPersist
}

export function setRecent(door: Door, recent: readonly RecentScan[]): void {
  door.recent = recent
}

/** Replaces the queue; `ticketIds` are those of the entries that came, changed or went. */
export function setQueue(door: Door, queue: readonly QueueEntry[], ticketIds: readonly number[]): void {
  door.queue = queue
  for (const ticketId of ticketIds) updateLocalCheckin(door, ticketId)
}

/** Sets what this phone says of a ticket, by the latest entry of the queue that is about it. */
function updateLocalCheckin(door: Door, ticketId: number): void {
  const last = door.queue
    .filter((entry) => entry.ticketId === ticketId && entry.problem === undefined && entry.purchase === undefined)
    .at(-1)
  if (!last) door.localCheckins.delete(ticketId)
  else if (last.act.kind === 'undo') door.localCheckins.set(ticketId, null)
  else
    door.localCheckins.set(ticketId, {
      at: new Date(last.made.clock + last.made.ahead),
      by: last.by,
      device: door.device.name,
    })
}

/** Changes a ticket on the list that is here, if it is there. */
export function updateTicket(door: Door, ticketId: number, change: Partial<DoorTicket>): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (ticket) door.list?.tickets.set(ticketId, { ...ticket, ...change })
}

/** The same by an answer of the server, which is newer than changes that were asked for before it came. */
export function updateAnsweredTicket(door: Door, ticketId: number, change: Partial<DoorTicket>): void {
  if (!door.list?.tickets.has(ticketId)) return
  door.answeredAt.set(ticketId, performance.now())
  updateTicket(door, ticketId, change)
}

/** Remembers a scan that the server did not answer, by what was scanned; null: it was answered, or is in the queue. */
export function setUnanswered(door: Door, key: string, scan: UnansweredScan | null): void {
  if (scan) door.unansweredScans.set(key, scan)
  else door.unansweredScans.delete(key)
}

/** Now, by all the clocks that the phone has. */
export function momentOf({ clockOffset }: Pick<Door, 'clockOffset'>): Moment {
  return { clock: Date.now(), running: performance.now(), page: PAGE_LOAD, ahead: clockOffset }
}

/** Now by the server's clock, as far as the phone knows it. */
export function serverNow({ clockOffset }: Pick<Door, 'clockOffset'>): Date {
  return new Date(Date.now() + clockOffset)
}
