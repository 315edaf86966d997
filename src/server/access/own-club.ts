import type { ClubRow, Db } from '../db/schema.ts'
import { findClub } from '../records/club-queries.ts'

declare const proven: unique symbol
/** A club that the caller may act for. Only `ownClub` makes one. */
export type OwnClub = ClubRow & { readonly [proven]: true }

/** The club, if it exists. The caller must have been checked: an admin for this id, or the operator. */
export async function ownClub(db: Db, clubId: number): Promise<OwnClub | null> {
  const club = await findClub(db, clubId)
  // The one place where the proof is made.
  return (club as OwnClub | undefined) ?? null
}
