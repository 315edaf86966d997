import { type clubApi, newClub } from '../../contract/clubs.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import { given } from '../db/given.ts'
import type { ClubRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findClub, insertClub, updateClub } from './queries.ts'

/** Adds a club, or edits the one proven; what an edit leaves out stays as it is. */
export async function saveClub(
  { db, now }: Deps,
  caller: Caller,
  club: OwnClub | null,
  { id: _, ...input }: Input<typeof clubApi.save>,
): Promise<ClubRow> {
  const fields = given(input)
  return db.transaction().execute(async (tx) => {
    const { name } = fields
    if (!club && name === undefined)
      throw new Refusal('INVALID_INPUT', { fields: [{ path: 'name', msg: 'This is required.' }] })
    const saved = club
      ? await (Object.keys(fields).length > 0 ? updateClub(tx, club.id, fields) : findClub(tx, club.id))
      : await insertClub(tx, { ...newClub, ...fields, name: name ?? '', createdAt: now() })
    if (!saved) throw new Refusal('NOT_FOUND')
    const action = club ? 'edited' : 'added'
    await logChange(tx, now(), { clubId: saved.id, userId: caller.id, subject: 'club', subjectId: saved.id, action })
    return saved
  })
}
