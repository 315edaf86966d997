import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { PasskeyProof } from '../../contract/passkeys.ts'
import type { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import { isPassword } from '../auth/passwords.ts'
import type { Deps } from '../deps.ts'
import { forgive, limitTries } from '../limits/limit-tries.ts'
import { findUser } from '../records/user-queries.ts'
import { checkCode, wrongCode } from '../second-factor/check-factor.ts'
import { touchPasskey } from '../second-factor/passkey-queries.ts'
import { confirmSession } from '../second-factor/queries.ts'
import { verifyProof } from '../second-factor/webauthn.ts'

/**
 * Makes the caller's sign-in fresh. With a second factor it takes a code or a passkey: the session and a password alone must not be enough to turn that off.
 * Refuses with INVALID_INPUT and TOO_MANY_TRIES.
 */
export async function confirmIdentity(
  deps: Deps,
  caller: Caller,
  { password = '', code = '', passkey }: Input<typeof securityApi.confirmIdentity>,
): Promise<void> {
  const tries = [{ rule: 'own password' as const, of: String(caller.id) }]
  await limitTries(deps, tries)
  if (caller.hasSecondFactor) {
    if (passkey) await checkPasskey(deps, caller, passkey)
    else if (code === '') throw wrongCode()
    else await checkCode(deps, caller, code)
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

/** Uses a passkey of the caller. Refuses with INVALID_INPUT at `passkey`. */
async function checkPasskey(deps: Deps, caller: Caller, proof: PasskeyProof): Promise<void> {
  const passkey = await verifyProof(deps, proof)
  if (passkey?.userId !== caller.id || !(await touchPasskey(deps.db, passkey, deps.now())))
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'passkey', msg: texts.passkeyFailed }] })
}
