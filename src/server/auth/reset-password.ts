import type { authApi } from '../../contract/auth.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { wantPasswordResetMail } from '../mail/queries.ts'
import { updateUser } from '../records/user-queries.ts'
import { hashOf } from '../tokens.ts'
import { checkNewPassword } from './common-passwords.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'

/**
 * Queues the mail with a link for the user with this address, by the same statements whether or not there is one. Counted by account and
 * network, so that repeated requests by strangers lock nobody out.
 */
export async function forgotPassword(deps: Deps, email: string, address: string): Promise<void> {
  await limitTries(deps, [
    ...byNetwork('forgotten password by account and network', address, email.toLowerCase()),
    ...byNetwork('forgotten password by network', address),
  ])
  await deps.db.transaction().execute((tx) => wantPasswordResetMail(tx, email, deps.now()))
}

/** Sets a password by the link mailed. The link works once; every session of that person ends. Refuses with LINK_EXPIRED. */
export async function resetPassword(
  deps: Deps,
  { token, password }: Input<typeof authApi.resetPassword>,
  address: string,
): Promise<void> {
  const { db, now } = deps
  checkNewPassword(password, 'password')
  await limitTries(deps, byNetwork('reset link by network', address))
  // Hashing is slow: only for a valid link.
  if ((await queries.findPasswordReset(db, hashOf(token), now())) === null) throw new Refusal('LINK_EXPIRED')
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const user = await queries.takePasswordReset(tx, hashOf(token), now())
    if (!user) throw new Refusal('LINK_EXPIRED')
    const { id: userId, clubId } = await updateUser(tx, user.id, { passwordHash, invitedUntil: null })
    await queries.deleteSessionsOf(tx, userId, null)
    await logChange(tx, now(), { clubId, userId, subject: 'user', subjectId: userId, action: 'password reset by link' })
  })
}
