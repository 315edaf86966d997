import type { Tx, UserRow } from '../db/schema.ts'
import { lockUser } from '../records/user-queries.ts'
import { hashOf, newToken } from '../tokens.ts'
import { savePasswordReset } from './queries.ts'

/**
 * Makes a link's token for this user, valid until the time that `expiryOf` returns. Returns null when there is no such user, or when
 * `expiryOf` returns null. Locks the user, so that a changed
 * address or an accepted invitation ends this link too.
 */
export async function newLink(
  tx: Tx,
  userId: number,
  now: Date,
  expiryOf: (user: UserRow) => Date | null,
): Promise<{ user: UserRow; token: string; expiresAt: Date } | null> {
  const user = await lockUser(tx, userId)
  const expiresAt = user && expiryOf(user)
  if (!user || !expiresAt) return null
  const token = newToken()
  await savePasswordReset(tx, { userId, tokenHash: hashOf(token), expiresAt }, now)
  return { user, token, expiresAt }
}
