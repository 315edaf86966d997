import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import type { UserRow } from '../db/schema.ts'
import { toLastOwner } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { removeImages } from '../images/remove-images.ts'
import { deleteAdmin } from './queries.ts'

/** Removes somebody from the club's team, or an invitation; their sessions end. Nobody removes themselves. Refuses with LAST_OWNER. */
export async function removeUser(deps: Deps, caller: Caller, club: OwnClub, id: number): Promise<UserRow> {
  if (id === caller.id) throw new Refusal('NOT_ALLOWED', { msg: texts.ownAccount })
  const { db, now } = deps
  const removed = await db
    .transaction()
    .execute(async (tx) => {
      const user = await deleteAdmin(tx, id, club.id)
      if (!user) throw new Refusal('NOT_FOUND')
      await logChange(tx, now(), {
        clubId: club.id,
        userId: caller.id,
        subject: 'user',
        subjectId: id,
        action: 'removed',
      })
      return user
    })
    .catch((error: unknown) => {
      throw toLastOwner(error)
    })
  await removeImages(deps, [{ kind: 'user', file: removed.image }])
  return removed
}
