import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { WalkInForm, WalkIns } from './walk-ins.ts'

interface Schema extends DBSchema {
  quotas: { key: number; value: WalkIns & { eventId: number } }
  forms: { key: number; value: WalkInForm & { eventId: number } }
}

/** A database of its own: the door's keeps its version, so that an older page can still open it. */
async function use<T>(work: (store: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const store = await openDB<Schema>('turnout-walk-ins', 1, {
    upgrade: (created) => {
      created.createObjectStore('quotas', { keyPath: 'eventId' })
      created.createObjectStore('forms', { keyPath: 'eventId' })
    },
  })
  return work(store).finally(() => store.close())
}

/** The places that this phone keeps for the event; null when nothing is stored, or can be. */
export async function readWalkIns(eventId: number): Promise<WalkIns | null> {
  const stored = await use((store) => store.get('quotas', eventId)).catch(() => undefined)
  return stored ? { quota: stored.quota, made: stored.made } : null
}

/** It is on the disk when this resolves. Fails where the browser stores nothing: then no place may be given away without the server. */
export async function writeWalkIns(eventId: number, walkIns: WalkIns): Promise<void> {
  await use(async (store) => {
    const tx = store.transaction('quotas', 'readwrite', { durability: 'strict' })
    await Promise.all([tx.store.put({ ...walkIns, eventId }), tx.done])
  })
}

export async function readWalkInForm(eventId: number): Promise<WalkInForm | null> {
  return (await use((store) => store.get('forms', eventId)).catch(() => undefined)) ?? null
}

/** Stores it, where the browser stores anything. */
export async function writeWalkInForm(eventId: number, form: WalkInForm): Promise<void> {
  await use((store) => store.put('forms', { ...form, eventId })).catch(() => {})
}

/** Removes the form. The places stay: people who wait to be sent have some of them. */
export async function removeWalkInForm(eventId: number): Promise<void> {
  await use((store) => store.delete('forms', eventId)).catch(() => {})
}
