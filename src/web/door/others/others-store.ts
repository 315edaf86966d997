import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { OtherEvents } from '../rules/other-event.ts'

interface Schema extends DBSchema {
  others: { key: number; value: OtherEvents & { eventId: number } }
}

/** A database of its own: the door's keeps its version, so that an older page can still open it. */
async function use<T>(work: (store: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const store = await openDB<Schema>('turnout-other-events', 1, {
    upgrade: (created) => {
      created.createObjectStore('others', { keyPath: 'eventId' })
    },
  })
  return work(store).finally(() => store.close())
}

/** What names the club's other events at this event's door; null when nothing is stored, or can be. */
export async function readOthers(eventId: number): Promise<OtherEvents | null> {
  return (await use((store) => store.get('others', eventId)).catch(() => null)) ?? null
}

/** Stores it, where the browser stores anything. */
export async function writeOthers(eventId: number, others: OtherEvents): Promise<void> {
  await use((store) => store.put('others', { ...others, eventId })).catch(() => {})
}

export async function removeOthers(eventId: number): Promise<void> {
  await use((store) => store.delete('others', eventId)).catch(() => {})
}
