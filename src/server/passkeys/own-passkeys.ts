import { Refusal } from '../../contract/errors.ts'
import { type NewPasskey, PASSKEY_ASKED_MS } from '../../contract/passkeys.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import { deviceOf } from '../auth/device-of.ts'
import { lockSelf } from '../auth/lock-self.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { findUser } from '../records/user-queries.ts'
import { deletePasskey, insertPasskey, listCredentialIds } from '../second-factor/passkey-queries.ts'
import { hasSecondFactor } from '../second-factor/queries.ts'
import { deleteUnneededCodes } from '../second-factor/remove-factor.ts'
import { ALGORITHMS, handleOf, newChallenge, siteOf, verifyNew } from '../second-factor/webauthn.ts'
import { logOwn, startSecondFactor } from '../security/own-factor.ts'

/** What the browser makes a passkey with. Refuses with NOT_FOUND and TOO_MANY_TRIES. */
export async function startAdding(deps: Deps, caller: Caller) {
  await limitTries(deps, [{ rule: 'passkeys begun by a person', of: String(caller.id) }])
  const user = await findUser(deps.db, caller.id)
  if (!user) throw new Refusal('NOT_FOUND')
  const { rpId } = siteOf(deps)
  const known = await listCredentialIds(deps.db, user.id)
  return {
    rp: { id: rpId, name: `Turnout ${rpId}` },
    user: { id: await handleOf(deps.db, user.id), name: user.email, displayName: user.fullName },
    challenge: await newChallenge(deps, user.id),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_ASKED_MS,
    excludeCredentials: known.map((id) => ({ type: 'public-key' as const, id })),
    authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
  }
}

/**
 * Adds a passkey; returns the recovery codes if it is the first factor, otherwise null. Refuses with INVALID_INPUT at `passkey`, EDIT_CONFLICT,
 * SIGN_IN_NEEDED and TOO_MANY_TRIES.
 */
export async function finishAdding(
  deps: Deps,
  caller: Caller,
  { passkey: made, userAgent }: { passkey: NewPasskey; userAgent: string },
): Promise<string[] | null> {
  const { db, now } = deps
  await limitTries(deps, [{ rule: 'passkeys added by a person', of: String(caller.id) }])
  const passkey = await verifyNew(deps, caller.id, made)
  if (!passkey) throw new Refusal('INVALID_INPUT', { fields: [{ path: 'passkey', msg: texts.passkeyFailed }] })
  return db.transaction().execute(async (tx) => {
    await lockSelf(tx, caller)
    const isFirst = !(await hasSecondFactor(tx, caller.id))
    const isNew = await insertPasskey(tx, { userId: caller.id, ...passkey, ...deviceOf(userAgent) }, now())
    if (!isNew) throw new Refusal('EDIT_CONFLICT', { msg: texts.passkeyThere })
    await queueFactorMail(tx, caller.id, 'passkey added', now())
    await logOwn(tx, now(), caller, 'passkey added')
    return isFirst ? startSecondFactor(tx, now(), caller) : null
  })
}

/** Removes one of the caller's passkeys, and the recovery codes with the last factor. Refuses with NOT_FOUND and SIGN_IN_NEEDED. */
export async function removePasskey({ db, now }: Deps, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockSelf(tx, caller)
    if (!(await deletePasskey(tx, caller.id, id))) throw new Refusal('NOT_FOUND')
    await logOwn(tx, now(), caller, 'passkey removed')
    const isOff = await deleteUnneededCodes(tx, caller.id)
    await queueFactorMail(tx, caller.id, isOff ? 'second factor off' : 'passkey removed', now())
    if (isOff) await logOwn(tx, now(), caller, 'second factor off')
  })
}
