import { Refusal } from '../../contract/errors.ts'
import { permissionsOf } from '../../contract/permissions.ts'
import type { Caller } from '../access/caller.ts'
import type { Tx } from '../db/schema.ts'
import { lockClub } from '../records/club-queries.ts'
import { findUser } from '../records/user-queries.ts'

/**
 * Starts a change of a club's team. Changes of one team wait for each other, and the caller must still manage it: their role may have been
 * changed while this call was on its way. Refuses with NOT_FOUND and NOT_ALLOWED.
 */
export async function startTeamChange(tx: Tx, caller: Caller, clubId: number): Promise<void> {
  if (!(await lockClub(tx, clubId))) throw new Refusal('NOT_FOUND')
  if (caller.role === 'sudo') return
  const user = await findUser(tx, caller.id)
  if (user?.clubId !== clubId || !permissionsOf(user.teamRole).includes('team')) throw new Refusal('NOT_ALLOWED')
}
