import type { Db, EventRow } from '../db/schema.ts'
import { readEvent } from '../records/shared-reads.ts'
import { type Caller, isOfItsTeam } from './caller.ts'

declare const proven: unique symbol
/** An event of the caller's own club. Only `ownEvent` makes one. */
export type OwnEvent = EventRow & { readonly [proven]: true }

/** Finds the event, for the operator or for a caller who works on it; null for others and when there is none. */
export type FindOwnEvent = (caller: Caller, eventId: number) => Promise<OwnEvent | null>

/** Makes that function. */
export function makeOwnEvent(db: Db): FindOwnEvent {
  return async (caller, eventId) => {
    const event = await readEvent(db, eventId)
    if (event === undefined || !(caller.role === 'sudo' || isOfItsTeam(caller, event))) return null
    // The one place where the proof is made.
    return event as EventRow as OwnEvent
  }
}
