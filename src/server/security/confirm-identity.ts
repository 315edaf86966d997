import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import { isPassword } from '../auth/passwords.ts'
import type { Deps } from '../deps.ts'
import { forgive, limitTries } from '../limits/limit-tries.ts'
import { findUser } from '../records/user-queries.ts'
import { checkCode, wrongCode } from '../second-factor/check-factor.ts'
import { confirmSession } from '../second-factor/queries.ts'

/**
 * Makes the caller's sign-in fresh. With a second factor it takes a code: the session and a password alone must not be enough to turn that off.
 * Refuses with INVALID_INPUT and TOO_MANY_TRIES.
 */
export async function confirmIdentity(
  deps: Deps,
  caller: Caller,
  { password = '', code = '' }: Input<typeof securityApi.confirmIdentity>,
): Promise<void> {
  const tries = [{ rule: 'own password' as const, of: String(caller.id) }]
  await limitTries(deps, tries)
  if (caller.hasSecondFactor) {
    if (code === '') throw wrongCode()
    await checkCode(deps, caller, code)
  } else {
    const user = await findUser(deps.db, caller.id)
    if (!(await isPassword(password, user?.passwordHash ?? null))) {
      const msg = password === '' ? texts.currentPasswordNeeded : texts.wrongCurrentPassword
      throw new Refusal('INVALID_INPUT', { fields: [{ path: 'password', msg }] })
    }
  }
  await forgive(deps.db, tries)
  await confirmSession(deps.db, caller.tokenHash, deps.now())
}
