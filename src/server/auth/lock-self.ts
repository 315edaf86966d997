import { Refusal } from '../../contract/errors.ts'
import type { Tx, UserRow } from '../db/schema.ts'
import { lockUser } from '../records/user-queries.ts'
import { hasSession } from './queries.ts'

/**
 * Locks the caller, for what would outlive their session. Refuses with SIGN_IN_NEEDED when it was ended meanwhile, as by a reset of the
 * password, which locks the user too.
 */
export async function lockSelf(tx: Tx, { id, tokenHash }: { id: number; tokenHash: string }): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (!user || !(await hasSession(tx, tokenHash))) throw new Refusal('SIGN_IN_NEEDED')
  return user
}
