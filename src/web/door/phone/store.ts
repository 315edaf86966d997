import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { DoorTicket } from '../../../contract/door.ts'
import { removeOthers } from '../others/others-store.ts'
import { type Payment, type Purchase, type QueueEntry, withoutCode } from '../rules/queue-entry.ts'
import type { TicketList } from '../rules/ticket-list.ts'
import { removeWalkInForm } from '../walk-ins/walk-in-store.ts'

/** The list without its tickets. These are stored separately, so that changing one does not write all of them. */
type StoredList = Omit<TicketList, 'tickets'> & {
  eventId: number
  /** How far the server's clock was ahead of the phone's, in ms. */
  ahead: number
}

/** A scan of this phone, stored so that it can be taken back. */
export interface RecentScan {
  scanId: string
  eventId: number
  ticketId: number
  /** The redeemed units; left out for a check-in. */
  purchase?: Purchase
  /** The money that was taken with it. */
  payment?: Payment
  /** Whether they went out or came back with it; left out for all else. */
  moved?: NonNullable<QueueEntry['moved']>
  name: string
  /** By the server's clock, as far as the phone knew it. */
  at: Date
  state: 'in' | 'undone'
}

interface Schema extends DBSchema {
  lists: { key: number; value: StoredList }
  /** A few hundred tickets per row: one row for each ticket would take seconds to write. */
  tickets: { key: [number, number]; value: { eventId: number; chunk: number; tickets: DoorTicket[] } }
  queue: { key: number; value: QueueEntry; indexes: { eventId: number } }
  recent: { key: string; value: RecentScan; indexes: { eventId: number } }
}

type Store = IDBPDatabase<Schema>

/** A chunk holds the tickets of this many consecutive ids. */
const CHUNK = 256
/** How many of the latest scans are kept. */
export const MOST_RECENT = 20

let opened: Promise<Store> | null = null

/** The database on this phone. */
function openStore(): Promise<Store> {
  opened ??= openDB<Schema>('turnout-door', 1, {
    upgrade: (store) => {
      store.createObjectStore('lists', { keyPath: 'eventId' })
      store.createObjectStore('tickets', { keyPath: ['eventId', 'chunk'] })
      const queue = store.createObjectStore('queue', { keyPath: 'order', autoIncrement: true })
      queue.createIndex('eventId', 'eventId')
      store.createObjectStore('recent', { keyPath: 'scanId' }).createIndex('eventId', 'eventId')
    },
    blocking: (_current, _blocked, event) => {
      // A newer version of the app in another tab needs to change the database.
      if (event.target instanceof IDBDatabase) event.target.close()
      opened = null
    },
    terminated: () => {
      opened = null
    },
  }).catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

/** The key range of all of an event's tickets. */
const ticketsOf = (eventId: number) => IDBKeyRange.bound([eventId, 0], [eventId, Number.MAX_SAFE_INTEGER])

/** The stored list, and how far the server's clock was ahead, in ms. */
export async function readList(eventId: number): Promise<{ list: TicketList; clockOffset: number } | null> {
  const tx = (await openStore()).transaction(['lists', 'tickets'])
  const [head, chunks] = await Promise.all([
    tx.objectStore('lists').get(eventId),
    tx.objectStore('tickets').getAll(ticketsOf(eventId)),
  ])
  if (!head) return null
  const { ahead: clockOffset, eventId: _, ...list } = head
  const tickets = new Map(chunks.flatMap((row) => row.tickets.map((ticket) => [ticket.id, ticket])))
  return { list: { ...list, tickets }, clockOffset }
}

/** Stores the list; of the tickets only the chunks with a changed one are written. */
export async function writeList(list: TicketList, changed: readonly number[], clockOffset: number): Promise<void> {
  const { tickets, ...head } = list
  const eventId = head.event.id
  const wanted = new Set(changed.map((id) => Math.floor(id / CHUNK)))
  const chunks = new Map<number, DoorTicket[]>([...wanted].map((chunk) => [chunk, []]))
  for (const ticket of tickets.values()) chunks.get(Math.floor(ticket.id / CHUNK))?.push(ticket)
  const tx = (await openStore()).transaction(['lists', 'tickets'], 'readwrite')
  const store = tx.objectStore('tickets')
  await Promise.all([
    tx.objectStore('lists').put({ ...head, eventId, ahead: clockOffset }),
    ...[...chunks].map(([chunk, group]) =>
      group.length > 0 ? store.put({ eventId, chunk, tickets: group }) : store.delete([eventId, chunk]),
    ),
    tx.done,
  ])
}

/** The event's queue: this phone's actions that the server has not answered yet, in order. */
export async function readQueue(eventId: number): Promise<QueueEntry[]> {
  return (await openStore()).getAllFromIndex('queue', 'eventId', eventId)
}

/** The events that have scans to send. */
export async function queuedEvents(): Promise<number[]> {
  const entries = await (await openStore()).getAll('queue')
  return [...new Set(entries.filter(({ problem }) => problem === undefined).map(({ eventId }) => eventId))]
}

/**
 * Adds an entry. It is on the disk when this resolves, so that neither a crash nor an empty battery loses it. Returns its place in the
 * queue.
 */
export async function addToQueue(entry: QueueEntry, recent: RecentScan): Promise<number> {
  const tx = (await openStore()).transaction(['queue', 'recent'], 'readwrite', { durability: 'strict' })
  const [order] = await Promise.all([tx.objectStore('queue').add(entry), tx.objectStore('recent').put(recent), tx.done])
  return order
}

export async function replaceInQueue(entry: QueueEntry): Promise<void> {
  await (await openStore()).put('queue', entry)
}

/** Removes answered entries. */
export async function removeFromQueue(orders: readonly number[]): Promise<void> {
  const tx = (await openStore()).transaction('queue', 'readwrite')
  await Promise.all([...orders.map((order) => tx.store.delete(order)), tx.done])
}

/** The latest scans of this phone, latest first. */
export async function readRecent(eventId: number): Promise<RecentScan[]> {
  const all = await (await openStore()).getAllFromIndex('recent', 'eventId', eventId)
  return all.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** Stores a scan that does not have to be sent. */
export async function writeRecent(scan: RecentScan): Promise<void> {
  await (await openStore()).put('recent', scan)
}

/** Removes all but the latest scans. */
export async function trimRecent(eventId: number): Promise<void> {
  const old = (await readRecent(eventId)).slice(MOST_RECENT)
  const store = await openStore()
  await Promise.all(old.map(({ scanId }) => store.delete('recent', scanId)))
}

/** Removes an event's names and codes, and what names the club's other events. Unsent scans stay, without their codes: nothing that was shown as valid is lost. */
export async function purgePeople(eventId: number): Promise<void> {
  const tx = (await openStore()).transaction(['lists', 'tickets', 'queue', 'recent'], 'readwrite')
  const queue = tx.objectStore('queue')
  const recent = tx.objectStore('recent')
  const [entries, scans] = await Promise.all([
    queue.index('eventId').getAll(eventId),
    recent.index('eventId').getAllKeys(eventId),
  ])
  await Promise.all([
    tx.objectStore('lists').delete(eventId),
    tx.objectStore('tickets').delete(ticketsOf(eventId)),
    ...entries.map((entry) => queue.put(withoutCode(entry))),
    ...scans.map((scanId) => recent.delete(scanId)),
    tx.done,
  ])
  await removeOthers(eventId)
  await removeWalkInForm(eventId)
}

/** The events whose list is stored here, with the end of each. */
export async function listedEvents(): Promise<{ eventId: number; endsAt: Date; clockOffset: number }[]> {
  const lists = await (await openStore()).getAll('lists')
  return lists.map(({ eventId, event: { endsAt }, ahead }) => ({ eventId, endsAt, clockOffset: ahead }))
}

/** The events with anything stored here: a list, scans to send, or the latest scans. */
export async function storedEvents(): Promise<number[]> {
  const tx = (await openStore()).transaction(['lists', 'queue', 'recent'])
  const [lists, queue, recent] = await Promise.all([
    tx.objectStore('lists').getAllKeys(),
    tx.objectStore('queue').getAll(),
    tx.objectStore('recent').getAll(),
  ])
  return [...new Set([...lists, ...[...queue, ...recent].map(({ eventId }) => eventId)])]
}
