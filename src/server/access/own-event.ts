import type { Db, EventRow } from '../db/schema.ts'
import { findClubEvent, findEvent } from '../events/queries.ts'

declare const proven: unique symbol
/** An event of the caller's own club. Only `ownEvent` makes one. */
export type OwnEvent = EventRow & { readonly [proven]: true }

/** The event, if it is one of this club (null: of any, for the operator); another club's is the same as none. */
export async function ownEvent(db: Db, clubId: number | null, eventId: number): Promise<OwnEvent | null> {
  const event = clubId === null ? await findEvent(db, eventId) : await findClubEvent(db, clubId, eventId)
  // The one place where the proof is made.
  return (event as OwnEvent | undefined) ?? null
}
