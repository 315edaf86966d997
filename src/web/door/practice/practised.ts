import * as z from 'zod/mini'
import { type PracticeKind, practiceKinds } from '../../../contract/values/practice-codes.ts'
import { deviceStore } from '../../storage.ts'

/** Which practice codes were scanned on this phone for an event, and when the latest. */
export interface Practised {
  kinds: readonly PracticeKind[]
  at: number
}

/** By the event's id. */
const stored = z.record(z.string(), z.object({ kinds: z.array(z.enum(practiceKinds)), at: z.number() }))
const KEY = 'practised'

/** What was practised on this phone by whoever is signed in; null for nothing. */
export function readPractised(eventId: number): Practised | null {
  return readAll()[eventId] ?? null
}

/** Notes that a practice code was scanned. */
export function notePractised(eventId: number, kind: PracticeKind): void {
  const all = readAll()
  const kinds = [...new Set([...(all[eventId]?.kinds ?? []), kind])]
  deviceStore.write(KEY, JSON.stringify({ ...all, [eventId]: { kinds, at: Date.now() } }))
}

/** Forgets it: the next person on this phone has not practised. */
export function forgetPractised(): void {
  deviceStore.remove(KEY)
}

function readAll(): z.output<typeof stored> {
  try {
    return z.parse(stored, JSON.parse(deviceStore.read(KEY) ?? '{}'))
  } catch {
    return {}
  }
}
