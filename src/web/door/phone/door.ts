import type { DoorTicket } from '../../../contract/door.ts'
import type { Moment, QueueEntry } from '../rules/queue-entry.ts'
import { countTickets, type TicketList } from '../rules/ticket-list.ts'
import { type DoorDevice, keepDevice, readDevice } from './device.ts'
import type { Looking } from './long-poll.ts'
import { purgePast } from './purge.ts'
import { type RecentScan, readList, readQueue, readRecent } from './store.ts'

/** What the page shows of the door. */
export interface DoorView {
  list: TicketList | null
  device: DoorDevice
  recent: readonly RecentScan[]
  /** Whether the server can be reached; `unknown` before the first try. */
  connection: 'unknown' | 'online' | 'offline'
  /** Whether the list is as the server has it: the last look for news was answered. */
  isFresh: boolean
  /** How many scans wait to be sent, and those that the server would not take. */
  queued: number
  stuck: readonly QueueEntry[]
  inside: number
  total: number
  /** Why there is no door here: access was revoked, or the event is gone. */
  isGone: boolean
  /** Whether what is done without network can be written down on this phone. */
  canKeep: boolean
}

/** One event's door on this phone: what its parts share. */
export interface Door {
  readonly eventId: number
  list: TicketList | null
  /** What this phone did and the server has not answered, in its order. */
  queue: QueueEntry[]
  localCheckins: Map<number, DoorTicket['in']>
  recent: RecentScan[]
  device: DoorDevice
  connection: DoorView['connection']
  isFresh: boolean
  /** When the server was last heard of, by the page's own clock. */
  lastContactAt: number
  /** How far the server's clock is ahead of the phone's, in ms. */
  ahead: number
  isGone: boolean
  canKeep: boolean
  /** Scans whose answer never came, by what was scanned: the same again is the same scan. */
  unanswered: Map<string, { scanId: string; ticketId: number | null }>
  /** When the server last answered for a ticket, by the page's own clock. */
  answered: Map<number, number>
  /** Tickets that could not be written down yet. */
  unwritten: Set<number>
  /** The look for news that is under way. */
  syncing: Promise<void> | null
  looking: Pick<Looking<unknown>, 'anew' | 'stop'> | null
  /** The sending that is under way. */
  sending: AbortController | null
  /** When this page was opened, by the phone's clock as it was when it last heard the server's; null before. */
  clockHeard: number | null
  /** When the list was last written down, by the phone's clock. */
  keptAt: number
  view: DoorView
  listeners: Set<() => void>
}

/** Tells this opening of the page from others. */
const PAGE_LOAD = `${Date.now()}-${Math.random()}`

/** The door as it was kept on this phone, before anything is asked. */
export async function openDoor(eventId: number): Promise<Door> {
  const device = readDevice()
  const door: Door = {
    eventId,
    list: null,
    queue: [],
    localCheckins: new Map(),
    recent: [],
    device,
    connection: 'unknown',
    isFresh: false,
    lastContactAt: 0,
    ahead: 0,
    isGone: false,
    canKeep: true,
    unanswered: new Map(),
    answered: new Map(),
    unwritten: new Set(),
    syncing: null,
    looking: null,
    sending: null,
    clockHeard: null,
    keptAt: 0,
    view: {
      list: null,
      device,
      recent: [],
      connection: 'unknown',
      isFresh: false,
      queued: 0,
      stuck: [],
      inside: 0,
      total: 0,
      isGone: false,
      canKeep: true,
    },
    listeners: new Set(),
  }
  try {
    await purgePast()
    const kept = await readList(eventId)
    door.list = kept?.list ?? null
    door.ahead = kept?.ahead ?? 0
    door.queue = await readQueue(eventId)
    door.recent = await readRecent(eventId)
  } catch {
    // A browser that keeps nothing, as in some private windows: the door works while there is network.
    door.canKeep = false
  }
  for (const { ticketId } of door.queue) markFromQueue(door, ticketId)
  emit(door)
  return door
}

/** Lets the page see what has changed. */
export function emit(door: Door): void {
  const { list, device, recent, connection, isFresh, queue, localCheckins, isGone, canKeep } = door
  const stuck = queue.filter(({ problem }) => problem !== undefined)
  const counts = list ? countTickets(list, localCheckins) : { inside: 0, total: 0 }
  door.view = {
    list,
    device,
    recent: [...recent],
    connection,
    isFresh,
    queued: queue.length - stuck.length,
    stuck,
    ...counts,
    isGone,
    canKeep,
  }
  for (const listener of door.listeners) listener()
}

/** For `useSyncExternalStore`. */
export function subscribe(door: Door, listener: () => void): () => void {
  door.listeners.add(listener)
  return () => door.listeners.delete(listener)
}

export function setDevice(door: Door, change: Partial<DoorDevice>): void {
  door.device = keepDevice({ ...door.device, ...change })
  emit(door)
}

/** Now, by all that the phone knows of time. */
export function momentOf({ ahead }: Pick<Door, 'ahead'>): Moment {
  return { clock: Date.now(), running: performance.now(), page: PAGE_LOAD, ahead }
}

/** Now by the server's clock, as far as the phone knows it. */
export function serverNow({ ahead }: Pick<Door, 'ahead'>): Date {
  return new Date(Date.now() + ahead)
}

/** Sets what this phone says of a ticket by the latest that it did and that is not answered. */
export function markFromQueue(door: Door, ticketId: number): void {
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
