import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { DoorTicket } from '../../../contract/door.ts'
import { type Purchase, type QueueEntry, withoutCode } from '../rules/queue-entry.ts'
import type { TicketList } from '../rules/ticket-list.ts'

/** The list's head; its tickets are kept apart, so that news of one do not write them all. */
type StoredList = Omit<TicketList, 'tickets'> & {
  eventId: number
  /** How far the server's clock was ahead of the phone's, in ms. */
  ahead: number
}

/** Something this phone did, for taking it back. */
export interface RecentScan {
  scanId: string
  eventId: number
  ticketId: number
  /** What was redeemed; left out where somebody was let in. */
  purchase?: Purchase
  name: string
  /** By the server's clock, as far as the phone knew it. */
  at: Date
  state: 'in' | 'undone'
}

interface Schema extends DBSchema {
  lists: { key: number; value: StoredList }
  /** Some hundred tickets a row: one row for each would take seconds to write. */
  tickets: { key: [number, number]; value: { eventId: number; chunk: number; tickets: DoorTicket[] } }
  queue: { key: number; value: QueueEntry; indexes: { eventId: number } }
  recent: { key: string; value: RecentScan; indexes: { eventId: number } }
}

type Store = IDBPDatabase<Schema>

/** Tickets are grouped by their ids, this many to a row. */
const CHUNK = 256
const MOST_RECENT = 20

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
      // A newer version of the app in another tab wants to change the database.
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

/** All tickets of an event, whatever their group. */
const allOf = (eventId: number) => IDBKeyRange.bound([eventId, 0], [eventId, Number.MAX_SAFE_INTEGER])

/** The list as it was kept, with how far the server's clock was ahead. */
export async function readList(eventId: number): Promise<{ list: TicketList; ahead: number } | null> {
  const tx = (await openStore()).transaction(['lists', 'tickets'])
  const [head, groups] = await Promise.all([
    tx.objectStore('lists').get(eventId),
    tx.objectStore('tickets').getAll(allOf(eventId)),
  ])
  if (!head) return null
  const { ahead, eventId: _, ...list } = head
  const tickets = new Map(groups.flatMap((group) => group.tickets.map((ticket) => [ticket.id, ticket])))
  return { list: { ...list, tickets }, ahead }
}

/** Keeps the list; of the tickets only the groups in which one changed are written. */
export async function writeList(list: TicketList, changed: readonly number[], ahead: number): Promise<void> {
  const { tickets, ...head } = list
  const eventId = head.event.id
  const wanted = new Set(changed.map((id) => Math.floor(id / CHUNK)))
  const groups = new Map<number, DoorTicket[]>([...wanted].map((chunk) => [chunk, []]))
  for (const ticket of tickets.values()) groups.get(Math.floor(ticket.id / CHUNK))?.push(ticket)
  const tx = (await openStore()).transaction(['lists', 'tickets'], 'readwrite')
  const store = tx.objectStore('tickets')
  await Promise.all([
    tx.objectStore('lists').put({ ...head, eventId, ahead }),
    ...[...groups].map(([chunk, group]) =>
      group.length > 0 ? store.put({ eventId, chunk, tickets: group }) : store.delete([eventId, chunk]),
    ),
    tx.done,
  ])
}

/** What this event's people did here and the server has not answered yet, in its order. */
export async function readQueue(eventId: number): Promise<QueueEntry[]> {
  return (await openStore()).getAllFromIndex('queue', 'eventId', eventId)
}

/** The events for which something waits to be sent. */
export async function queuedEvents(): Promise<number[]> {
  const entries = await (await openStore()).getAll('queue')
  return [...new Set(entries.filter(({ problem }) => problem === undefined).map(({ eventId }) => eventId))]
}

/**
 * Writes down what was done, for good: it is on the disk when this resolves, so that neither a crash nor an empty battery loses
 * it. Answers its place.
 */
export async function addToQueue(entry: QueueEntry, recent: RecentScan): Promise<number> {
  const tx = (await openStore()).transaction(['queue', 'recent'], 'readwrite', { durability: 'strict' })
  const [order] = await Promise.all([tx.objectStore('queue').add(entry), tx.objectStore('recent').put(recent), tx.done])
  return order
}

export async function replaceInQueue(entry: QueueEntry): Promise<void> {
  await (await openStore()).put('queue', entry)
}

/** Takes out what the server has answered. */
export async function removeFromQueue(orders: readonly number[]): Promise<void> {
  const tx = (await openStore()).transaction('queue', 'readwrite')
  await Promise.all([...orders.map((order) => tx.store.delete(order)), tx.done])
}

/** What was last done here, latest first. */
export async function readRecent(eventId: number): Promise<RecentScan[]> {
  const all = await (await openStore()).getAllFromIndex('recent', 'eventId', eventId)
  return all.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** Notes what was done without having to be sent. */
export async function writeRecent(scan: RecentScan): Promise<void> {
  await (await openStore()).put('recent', scan)
}

/** Forgets who came in long ago. */
export async function trimRecent(eventId: number): Promise<void> {
  const old = (await readRecent(eventId)).slice(MOST_RECENT)
  const store = await openStore()
  await Promise.all(old.map(({ scanId }) => store.delete('recent', scanId)))
}

/** Forgets an event's people and codes. What was not sent stays, without its code: nothing that was shown green is lost. */
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
    tx.objectStore('tickets').delete(allOf(eventId)),
    ...entries.map((entry) => queue.put(withoutCode(entry))),
    ...scans.map((scanId) => recent.delete(scanId)),
    tx.done,
  ])
}

/** The events of which there is anything here, with when each ends. */
export async function keptEvents(): Promise<{ eventId: number; endsAt: Date; ahead: number }[]> {
  const lists = await (await openStore()).getAll('lists')
  return lists.map(({ eventId, event: { endsAt }, ahead }) => ({ eventId, endsAt, ahead }))
}

/** Every event of which there is anything here: a list, scans that wait, or names of who came in. */
export async function storedEvents(): Promise<number[]> {
  const tx = (await openStore()).transaction(['lists', 'queue', 'recent'])
  const [lists, queue, recent] = await Promise.all([
    tx.objectStore('lists').getAllKeys(),
    tx.objectStore('queue').getAll(),
    tx.objectStore('recent').getAll(),
  ])
  return [...new Set([...lists, ...[...queue, ...recent].map(({ eventId }) => eventId)])]
}
