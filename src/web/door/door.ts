import type { DoorTicket } from '../../contract/door.ts'
import { type DoorDevice, keepDevice, readDevice } from './device.ts'
import { type RecentScan, readList, readQueue, readRecent } from './door-store.ts'
import { forgetPast } from './forget.ts'
import type { Looking } from './look.ts'
import type { Moment, QueueEntry } from './queue-entry.ts'
import { countTickets, type TicketList } from './ticket-list.ts'

/** What the page shows of the door. */
export interface DoorView {
  list: TicketList | null
  device: DoorDevice
  recent: readonly RecentScan[]
  /** Whether the server can be reached; `unknown` before the first try. */
  link: 'unknown' | 'online' | 'offline'
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
  marks: Map<number, DoorTicket['in']>
  recent: RecentScan[]
  device: DoorDevice
  link: DoorView['link']
  isFresh: boolean
  /** When the server was last heard of, by the page's own clock. */
  heardAt: number
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
  contacting: Promise<void> | null
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
const PAGE = `${Date.now()}-${Math.random()}`

/** The door as it was kept on this phone, before anything is asked. */
export async function openDoor(eventId: number): Promise<Door> {
  const device = readDevice()
  const view = {
    list: null,
    device,
    recent: [],
    link: 'unknown' as const,
    isFresh: false,
    queued: 0,
    stuck: [],
    inside: 0,
    total: 0,
  }
  const door: Door = {
    ...{ eventId, list: null, queue: [], marks: new Map(), recent: [], device, link: 'unknown', ahead: 0 },
    ...{
      isGone: false,
      canKeep: true,
      unanswered: new Map(),
      answered: new Map(),
      unwritten: new Set(),
      sending: null,
      isFresh: false,
      heardAt: 0,
      clockHeard: null,
      looking: null,
      keptAt: 0,
      listeners: new Set(),
      contacting: null,
    },
    view: { ...view, isGone: false, canKeep: true },
  }
  try {
    await forgetPast()
    const kept = await readList(eventId)
    door.list = kept?.list ?? null
    door.ahead = kept?.ahead ?? 0
    door.queue = await readQueue(eventId)
    door.recent = await readRecent(eventId)
  } catch {
    // A browser that keeps nothing, as in some private windows: the door works while there is network.
    door.canKeep = false
  }
  for (const { ticketId } of door.queue) markFrom(door, ticketId)
  tell(door)
  return door
}

/** Lets the page see what has changed. */
export function tell(door: Door): void {
  const { list, device, recent, link, isFresh, queue, marks, isGone, canKeep } = door
  const stuck = queue.filter(({ problem }) => problem !== undefined)
  const counts = list ? countTickets(list, marks) : { inside: 0, total: 0 }
  door.view = {
    list,
    device,
    recent: [...recent],
    link,
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
  tell(door)
}

/** Now, by all that the phone knows of time. */
export function momentOf({ ahead }: Pick<Door, 'ahead'>): Moment {
  return { clock: Date.now(), running: performance.now(), page: PAGE, ahead }
}

/** Now by the server's clock, as far as the phone knows it. */
export function serverNow({ ahead }: Pick<Door, 'ahead'>): Date {
  return new Date(Date.now() + ahead)
}

/** Sets what this phone says of a ticket by the latest that it did and that is not answered. */
export function markFrom(door: Door, ticketId: number): void {
  const last = door.queue
    .filter((entry) => entry.ticketId === ticketId && entry.problem === undefined && entry.purchase === undefined)
    .at(-1)
  if (!last) door.marks.delete(ticketId)
  else if (last.act.kind === 'undo') door.marks.set(ticketId, null)
  else
    door.marks.set(ticketId, { at: new Date(last.made.clock + last.made.ahead), by: last.by, device: door.device.name })
}
