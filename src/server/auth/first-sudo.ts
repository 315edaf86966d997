import type { Deps } from '../deps.ts'
import { insertUser, isAnySudo } from '../records/user-queries.ts'
import { type Settings, WrongSettings } from '../settings.ts'
import { newPassword } from '../tokens.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword } from './passwords.ts'
import { findUserByEmail } from './queries.ts'

interface FirstSudo {
  email: string
  /** Known only when it was generated just now. */
  password: string | null
}

/**
 * Creates the operator's account when there is no operator yet: from the settings, or else with a default address and a generated password.
 * Of many processes that start at once, one creates it. Returns null when none was created.
 */
export async function makeFirstSudo({ db, now, log }: Deps, settings: Settings): Promise<FirstSudo | null> {
  const email = settings.sudoEmail ?? 'sudo@turnout.local'
  const known = await findUserByEmail(db, email)
  if (await isAnySudo(db)) {
    // An operator who changed their address must not get a second account with the password of the settings.
    if (settings.sudoEmail !== null && known?.role !== 'sudo')
      log.warn('SUDO_EMAIL is not the address of the operator, who has another one; no second operator is made')
    return null
  }
  if (known) {
    log.warn('SUDO_EMAIL is the address of a user who is no operator: choose another one')
    return null
  }
  // Checked only when it is used: left in the settings later on, it must not keep a server from starting.
  if (settings.sudoPassword !== null && isCommonPassword(settings.sudoPassword))
    throw new WrongSettings(['SUDO_PASSWORD is one that too many people use: choose another.'])
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
