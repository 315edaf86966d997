import type { Caller } from '../access/caller.ts'
import { deleteSessionsOf, deleteTokensOf } from '../auth/queries.ts'
import { logChange } from '../db/changes.ts'
import type { Tx } from '../db/schema.ts'
import { markProved } from '../second-factor/queries.ts'
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts'

/** After the first factor of the caller: ends their other sessions and their API tokens, which were made without it, and returns their recovery codes. */
export async function startSecondFactor(tx: Tx, now: Date, caller: Caller): Promise<string[]> {
  await deleteSessionsOf(tx, caller.id, caller.tokenHash)
  await deleteTokensOf(tx, caller.id)
  await markProved(tx, caller.tokenHash)
  await logOwn(tx, now, caller, 'second factor on')
  return replaceRecoveryCodes(tx, caller.id)
}

/** Logs what somebody did with their own second factor. */
export function logOwn(tx: Tx, now: Date, { id, clubId }: Caller, action: string): Promise<void> {
  return logChange(tx, now, { clubId, userId: id, subject: 'user', subjectId: id, action })
}
