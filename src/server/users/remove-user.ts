import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { appUserApi } from '../../contract/users.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import type { UserRow } from '../db/schema.ts'
import { toLastOwner } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { removeImages } from '../images/remove-images.ts'
import { lockUser } from '../records/user-queries.ts'
import { deleteUser } from './queries.ts'
import { startTeamChange } from './start-team-change.ts'

type Asked = Input<typeof appUserApi.removeAppUser>

/**
 * Removes somebody from the club's team, or an invitation; their sessions end. Nobody removes themselves. Refuses with NOT_FOUND, LAST_OWNER
 * and EDIT_CONFLICT.
 */
export async function removeUser(
  deps: Deps,
  caller: Caller,
  club: OwnClub,
  { appUserId: id, version }: Asked,
): Promise<UserRow> {
  if (id === caller.id) throw new Refusal('NOT_ALLOWED', { msg: texts.ownAccount })
  const { db, now } = deps
  const removed = await db
    .transaction()
    .execute(async (tx) => {
      await startTeamChange(tx, caller, club.id)
      const user = await lockUser(tx, id)
      if (user?.clubId !== club.id) throw new Refusal('NOT_FOUND')
      // Whoever withdraws an invitation does not mean somebody who has joined in between.
      if (version !== undefined && version !== user.version) throw new Refusal('EDIT_CONFLICT')
      await deleteUser(tx, id)
      const what = { subject: 'user' as const, subjectId: id, action: 'removed' }
      await logChange(tx, now(), { clubId: club.id, userId: caller.id, ...what })
      return user
    })
    .catch((error: unknown) => {
      throw toLastOwner(error)
    })
  await removeImages(deps, [{ kind: 'user', file: removed.image }])
  return removed
}
