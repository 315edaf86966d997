import { batch } from '../db/batch.ts'
import type { Db, EventRow } from '../db/schema.ts'
import { findEvents } from '../records/event-queries.ts'

declare const proven: unique symbol
/** An event of the caller's own club. Only `ownEvent` makes one. */
export type OwnEvent = EventRow & { readonly [proven]: true }

/** Finds the event, if it is one of this club (null: of any, for the operator); another club's is the same as none. */
export type FindOwnEvent = (clubId: number | null, eventId: number) => Promise<OwnEvent | null>

/** Makes that function. Those that are asked for at the same moment are looked up together. */
export function makeOwnEvent(db: Db): FindOwnEvent {
  const find = batch<number, EventRow | null>(
    async (ids) => {
      const found = new Map((await findEvents(db, ids)).map((event) => [event.id, event]))
      return ids.map((id) => found.get(id) ?? null)
    },
    { most: 256, atOnce: 4 },
  )
  return async (clubId, eventId) => {
    const event = await find(eventId)
    if (event === null || (clubId !== null && event.clubId !== clubId)) return null
    // The one place where the proof is made.
    return event as OwnEvent
  }
}
