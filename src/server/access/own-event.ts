import type { Db, EventRow } from '../db/schema.ts'
import { readEvent } from '../records/shared-reads.ts'

declare const proven: unique symbol
/** An event of the caller's own club. Only `ownEvent` makes one. */
export type OwnEvent = EventRow & { readonly [proven]: true }

/** Finds the event, if it is one of this club (null: of any, for the operator); null for another club's or a missing one. */
export type FindOwnEvent = (clubId: number | null, eventId: number) => Promise<OwnEvent | null>

/** Makes that function. */
export function makeOwnEvent(db: Db): FindOwnEvent {
  return async (clubId, eventId) => {
    const event = await readEvent(db, eventId)
    if (event === undefined || (clubId !== null && event.clubId !== clubId)) return null
    // The one place where the proof is made.
    return event as EventRow as OwnEvent
  }
}
