import type { authApi } from '../../contract/auth.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { wantPasswordResetMail } from '../mail/queries.ts'
import { updateUser } from '../users/queries.ts'
import { checkNewPassword } from './common-passwords.ts'
import { limitTries } from './limit-tries.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { hashToken } from './tokens.ts'

const MOST_BY_EMAIL = 3
const MOST_BY_ADDRESS = 30

/** Queues the mail with a link for whoever signs in with this address, in one statement, so that nothing tells whether there is somebody. */
export async function forgotPassword({ db, now }: Deps, email: string, address: string): Promise<void> {
  await limitTries(db, now(), [
    { key: `forgot:${hashToken(email.toLowerCase())}`, most: MOST_BY_EMAIL },
    { key: `forgot-address:${hashToken(address)}`, most: MOST_BY_ADDRESS },
  ])
  await wantPasswordResetMail(db, email, now())
}

/** Sets a password by the link mailed. The link works once; every session of that person ends. Refuses with LINK_EXPIRED. */
export async function resetPassword(
  { db, now }: Deps,
  { token, password }: Input<typeof authApi.resetPassword>,
  address: string,
): Promise<void> {
  checkNewPassword(password, 'password')
  await limitTries(db, now(), [{ key: `reset-address:${hashToken(address)}`, most: MOST_BY_ADDRESS }])
  // Hashing takes its time: only for a link that is there.
  if (!(await queries.isPasswordReset(db, hashToken(token), now()))) throw new Refusal('LINK_EXPIRED')
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const userId = await queries.takePasswordReset(tx, hashToken(token), now())
    if (userId === null) throw new Refusal('LINK_EXPIRED')
    const { clubId } = await updateUser(tx, userId, { passwordHash })
    await queries.deleteSessionsOf(tx, userId, null)
    await logChange(tx, now(), { clubId, userId, subject: 'user', subjectId: userId, action: 'password reset by link' })
  })
}
