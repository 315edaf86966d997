import type { Deps } from '../deps.ts'
import type { Settings } from '../settings.ts'
import { insertUser, isAnySudo } from '../users/queries.ts'
import { hashPassword } from './passwords.ts'
import { findUserByEmail } from './queries.ts'
import { newPassword } from './tokens.ts'

interface FirstSudo {
  email: string
  /** Known only when it was generated just now. */
  password: string | null
}

/**
 * Makes the operator's account when it is missing: that of the settings, or without one an account of our own when there
 * is no operator yet. Of many processes that start at once, one makes it. Answers null when there was nothing to make.
 */
export async function makeFirstSudo({ db, now }: Deps, settings: Settings): Promise<FirstSudo | null> {
  if (settings.sudoEmail === null && (await isAnySudo(db))) return null
  const email = settings.sudoEmail ?? 'sudo@turnout.local'
  if (await findUserByEmail(db, email)) return null
  const password = settings.sudoPassword ?? newPassword()
  const user = await insertUser(db, {
    role: 'sudo',
    fullName: 'Operator',
    email,
    passwordHash: await hashPassword(password),
    clubId: null,
    createdAt: now(),
  })
  return user && { email, password: settings.sudoPassword === null ? password : null }
}
