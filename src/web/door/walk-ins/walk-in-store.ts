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

/**
 * Changes the places in one transaction, so that two tabs never give away the same one; null from `change` leaves them. What it returns is on
 * the disk when this resolves. Fails where the browser stores nothing.
 */
export function changeWalkIns(
  eventId: number,
  change: (stored: WalkIns | null) => WalkIns | null,
): Promise<WalkIns | null> {
  return use(async (store) => {
    const tx = store.transaction('quotas', 'readwrite', { durability: 'strict' })
    const row = await tx.store.get(eventId)
    const changed = change(row ? { quota: row.quota, made: row.made } : null)
    if (changed) await tx.store.put({ ...changed, eventId })
    await tx.done
    return changed
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
