import type { DoorTicket } from '../../../contract/door.ts'
import { readOthers } from '../others/others-store.ts'
import type { Moment } from '../rules/clock.ts'
import type { OtherEvents } from '../rules/other-event.ts'
import { localChangeOf, type QueueEntry } from '../rules/queue-entry.ts'
import { countTickets, type LocalChange, type TicketCounts, type TicketList } from '../rules/ticket-list.ts'
import { readWalkIns } from '../walk-ins/walk-in-store.ts'
import { type WalkIns, waitingWalkIns, withWaiting } from '../walk-ins/walk-ins.ts'
import { type DoorDevice, readDevice, storeDevice } from './device.ts'
import type { HedgedRequest } from './hedged-request.ts'
import { purgePast } from './purge.ts'
import { type RecentScan, readList, readQueue, readRecent } from './store.ts'

/** The door's state as the page shows it. */
export interface DoorView extends TicketCounts {
  list: TicketList | null
  device: DoorDevice
  recent: readonly RecentScan[]
  /** Whether the server can be reached; `unknown` before the first try. */
  connection: 'unknown' | 'online' | 'offline'
  /** Whether the list is up to date: the last sync succeeded. */
  isFresh: boolean
  /** The number of scans that wait to be sent, and the scans that the server did not accept. */
  queued: number
  stuck: readonly QueueEntry[]
  /** Whether access was revoked, or the event removed. */
  isGone: boolean
  /** Whether scans made without network can be written to this phone's disk. */
  canPersist: boolean
  /** The places that this phone keeps for people without a ticket; null until the server has said. */
  walkIns: WalkIns | null
  /** Whether whoever is scanned goes in or out. */
  direction: 'in' | 'out'
  /** When practice ends, by both of the phone's clocks; null while it is off. */
  practice: { clock: number; running: number } | null
}

/** How a code was read; `scanner`: one that acts as a keyboard. */
export type ScannedBy = 'camera' | 'scanner' | 'hand'

/** One event's door on this phone: the shared state. Only this file and sync.ts write to it, and send-queue.ts to `sending`. */
export interface Door {
  readonly eventId: number
  list: TicketList | null
  /** What names the event of a ticket that is of another one of the club; null until it is loaded. */
  others: OtherEvents | null
  /** This phone's actions that the server has not answered yet, in order. */
  queue: readonly QueueEntry[]
  /** The check-ins in the queue by ticket: let in here, or taken back (null). */
  localCheckins: Map<number, LocalChange>
  /** The latest scans of this phone, latest first. */
  recent: readonly RecentScan[]
  device: DoorDevice
  connection: DoorView['connection']
  isFresh: boolean
  /** When the server was last heard from, by `performance.now()`. */
  lastContactAt: number
  /** How far the server's clock is ahead of the phone's, in ms. */
  clockOffset: number
  isGone: boolean
  canPersist: boolean
  walkIns: DoorView['walkIns']
  /** How many people are being added by this phone, and not in the queue yet. */
  adding: number
  direction: DoorView['direction']
  practice: DoorView['practice']
  /** The codes scanned since the scanner was opened: when, by `performance.now()`, and how. */
  readonly scanTimes: { at: number; by: ScannedBy }[]
  /** Unanswered scans by their content: scanning the same again repeats the same scan. */
  unansweredScans: Map<string, UnansweredScan>
  /** When the server last answered about each ticket, by `performance.now()`. */
  answeredAt: Map<number, number>
  /** What the server answered about tickets that the list did not have at that moment. */
  unlistedAnswers: Map<number, Partial<DoorTicket>>
  /** The cursor from which the next sync fetches again; null for the list's own. */
  repeatFrom: string | null
  /** The ids of tickets that could not be written to the disk yet. */
  unpersisted: Set<number>
  /** The sync in progress, and its request. */
  syncing: Promise<void> | null
  request: Pick<HedgedRequest<unknown>, 'restart' | 'cancel'> | null
  /** Aborts the sending in progress. */
  sending: AbortController | null
  /** When this page was opened, by the phone's clock at the last sync; null before the first. It shows whether the clock was set since. */
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

/** Opens the door as stored on this phone, without asking the server. */
export async function openDoor(eventId: number): Promise<Door> {
  const door = newDoor(eventId)
  try {
    await purgePast()
    const stored = await readList(eventId)
    door.list = stored?.list ?? null
    door.queue = await readQueue(eventId)
    door.recent = await readRecent(eventId)
    door.others = await readOthers(eventId)
    const walkIns = await readWalkIns(eventId)
    door.walkIns = walkIns && withWaiting(walkIns, door.queue)
    // Without a list, the offset of the latest scan in the queue is used.
    door.clockOffset = stored?.clockOffset ?? door.queue.at(-1)?.made.ahead ?? 0
  } catch {
    // The browser stores nothing, as in some private windows: the door works only with network.
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
    practice: null,
    walkIns: null,
    direction: 'in',
    adding: 0,
    scanTimes: [],
    eventId,
    others: null,
    queue: [],
    localCheckins: new Map(),
    recent: [],
    lastContactAt: 0,
    clockOffset: 0,
    unansweredScans: new Map(),
    answeredAt: new Map(),
    unlistedAnswers: new Map(),
    repeatFrom: null,
    unpersisted: new Set(),
    syncing: null,
    request: null,
    sending: null,
    pageOpenedAt: null,
    persistedAt: 0,
    view: {
      ...seen,
      practice: null,
      walkIns: null,
      direction: 'in',
      recent: [],
      queued: 0,
      stuck: [],
      inside: 0,
      total: 0,
      unpaid: 0,
    },
    listeners: new Set(),
  }
}

/** Updates the view and notifies the page. */
export function emit(door: Door): void {
  const { list, device, recent, connection, isFresh, queue, localCheckins, isGone, canPersist } = door
  const { practice, walkIns, direction } = door
  const stuck = queue.filter(({ problem }) => problem !== undefined)
  const counted = list ? countTickets(list, localCheckins) : { inside: 0, total: 0, unpaid: 0 }
  // They are not on the list yet.
  const added = waitingWalkIns(queue).length
  const counts = { ...counted, inside: counted.inside + added, total: counted.total + added }
  const queued = queue.length - stuck.length
  const known = { list, device, recent, connection, isFresh, isGone, canPersist, practice, walkIns, direction }
  door.view = { ...known, ...counts, queued, stuck }
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

/** Notes whether scans can be written to this phone's disk. */
export function setCanPersist(door: Door, canPersist: boolean): void {
  door.canPersist = canPersist
}

/** Replaces what names the club's other events. */
export function setOthers(door: Door, others: OtherEvents): void {
  door.others = others
}

/** Starts or ends practice: see practice-mode.ts. */
export function setPractice(door: Door, practice: Door['practice']): void {
  door.practice = practice && { ...practice }
  emit(door)
}

/** Scans people in or out from now on. Not stored: a phone that is opened another night scans them in. */
export function setDirection(door: Door, direction: Door['direction']): void {
  door.direction = direction
  emit(door)
}

/** Counts people who are being added and not in the queue yet. */
export function setAdding(door: Door, by: number): void {
  door.adding += by
}

/** Replaces what is known of the places for people without a ticket. */
export function setWalkIns(door: Door, walkIns: WalkIns | null): void {
  door.walkIns = walkIns
}

export function setRecent(door: Door, recent: readonly RecentScan[]): void {
  door.recent = recent
}

/** Replaces the queue; `ticketIds` are the tickets of entries that were added, changed or removed. */
export function setQueue(door: Door, queue: readonly QueueEntry[], ticketIds: readonly number[]): void {
  door.queue = queue
  for (const ticketId of ticketIds) updateLocalCheckin(door, ticketId)
}

/** Sets what this phone has changed about a ticket from its entries in the queue: of what several change, the latest counts. */
function updateLocalCheckin(door: Door, ticketId: number): void {
  const changes = door.queue
    .filter((entry) => entry.ticketId === ticketId && entry.problem === undefined && entry.purchase === undefined)
    .map((entry) => localChangeOf(entry, door.device.name))
  if (changes.length === 0) door.localCheckins.delete(ticketId)
  else door.localCheckins.set(ticketId, Object.assign({}, ...changes))
}

/** Changes a ticket on this phone's list, if it has it. */
export function updateTicket(door: Door, ticketId: number, change: Partial<DoorTicket>): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (ticket) door.list?.tickets.set(ticketId, { ...ticket, ...change })
}

/** The same for an answer of the server, which takes precedence over changes that were requested before it arrived. */
export function updateAnsweredTicket(door: Door, ticketId: number, change: Partial<DoorTicket>): void {
  door.answeredAt.set(ticketId, performance.now())
  // The list may be on its way, and older than the answer.
  if (!door.list?.tickets.has(ticketId))
    door.unlistedAnswers.set(ticketId, { ...door.unlistedAnswers.get(ticketId), ...change })
  updateTicket(door, ticketId, change)
}

/** Remembers a scan that the server did not answer, by its content; null when it was answered or is in the queue. */
export function setUnanswered(door: Door, key: string, scan: UnansweredScan | null): void {
  if (scan) door.unansweredScans.set(key, scan)
  else door.unansweredScans.delete(key)
}

/** The current time by all clocks of the phone. */
export function momentOf({ clockOffset }: Pick<Door, 'clockOffset'>): Moment {
  return { clock: Date.now(), running: performance.now(), page: PAGE_LOAD, ahead: clockOffset }
}

/** The current time by the server's clock, as far as the phone knows it. */
export function serverNow({ clockOffset }: Pick<Door, 'clockOffset'>): Date {
  return new Date(Date.now() + clockOffset)
}
