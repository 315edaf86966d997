import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { deleteSessionsOf } from '../auth/queries.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { lockUser } from '../records/user-queries.ts'
import { requireFactor } from '../second-factor/queries.ts'
import { removeFactor } from '../second-factor/remove-factor.ts'
import { startTeamChange } from '../users/start-team-change.ts'

/**
 * Removes the second factor of somebody of the club's team who has lost it. Their sessions end and they are told by e-mail; one's own is
 * turned off in the profile. Refuses with NOT_FOUND and NOT_ALLOWED.
 */
export async function resetFactor({ db, now }: Deps, caller: Caller, club: OwnClub, id: number): Promise<void> {
  if (id === caller.id) throw new Refusal('NOT_ALLOWED', { msg: texts.ownFactor })
  await db.transaction().execute(async (tx) => {
    await startTeamChange(tx, caller, club.id)
    const user = await lockUser(tx, id)
    if (user?.clubId !== club.id || !(await removeFactor(tx, id))) throw new Refusal('NOT_FOUND')
    await deleteSessionsOf(tx, id, null)
    await queueFactorMail(tx, id, 'second factor reset', now())
    const what = { subject: 'user' as const, subjectId: id, action: 'second factor reset' }
    await logChange(tx, now(), { clubId: club.id, userId: caller.id, ...what })
  })
}

/** Requires a second factor of everybody in the club's team, or no longer. */
export async function saveRequirement(
  { db, now }: Deps,
  caller: Caller,
  club: OwnClub,
  isRequired: boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await startTeamChange(tx, caller, club.id)
    if (!(await requireFactor(tx, club.id, isRequired ? now() : null))) return
    const action = isRequired ? 'second factor required' : 'second factor not required'
    await logChange(tx, now(), { clubId: club.id, userId: caller.id, subject: 'club', subjectId: club.id, action })
  })
}
