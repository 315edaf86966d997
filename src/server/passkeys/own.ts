import { Refusal } from '../../contract/errors.ts'
import { type NewPasskey, PASSKEY_ASKED_MS } from '../../contract/passkeys.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import { deviceOf } from '../auth/device-of.ts'
import { deleteSessionsOf, deleteTokensOf } from '../auth/queries.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { findUser, lockUser } from '../records/user-queries.ts'
import { deletePasskey, insertPasskey, listCredentialIds } from '../second-factor/passkey-queries.ts'
import { hasSecondFactor, markProved } from '../second-factor/queries.ts'
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { deleteUnneededCodes } from '../second-factor/remove-factor.ts'
import { newChallenge, siteOf, verifyNew } from '../second-factor/webauthn.ts'
import { logOwn } from '../security/set-up.ts'

/** The kinds of keys that we can verify, by their numbers in COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** What the browser makes a passkey with. Refuses with TOO_MANY_TRIES. */
export async function startAdding(deps: Deps, caller: Caller) {
  await limitTries(deps, [{ rule: 'passkeys added by a person', of: String(caller.id) }])
  const user = await findUser(deps.db, caller.id)
  if (!user) throw new Refusal('NOT_FOUND')
  const { rpId } = siteOf(deps)
  const known = await listCredentialIds(deps.db, user.id)
  return {
    rp: { id: rpId, name: `Turnout ${rpId}` },
    // Devices keep one passkey for each of these ids, so that it must stay the same. It tells nobody who it is.
    user: { id: Buffer.from(`user ${user.id}`).toString('base64url'), name: user.email, displayName: user.fullName },
    challenge: await newChallenge(deps, user.id),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_ASKED_MS,
    excludeCredentials: known.map((id) => ({ type: 'public-key' as const, id })),
    authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
  }
}

/**
 * Adds a passkey. The first factor of somebody ends their other sessions and API tokens, which were made without it, and comes with recovery
 * codes; otherwise null. Refuses with INVALID_INPUT and EDIT_CONFLICT.
 */
export async function finishAdding(
  deps: Deps,
  caller: Caller,
  { passkey: made, userAgent }: { passkey: NewPasskey; userAgent: string },
): Promise<string[] | null> {
  const { db, now } = deps
  const passkey = await verifyNew(deps, caller.id, made)
  if (!passkey) throw new Refusal('INVALID_INPUT', { fields: [{ path: 'passkey', msg: texts.passkeyFailed }] })
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.id)
    const isFirst = !(await hasSecondFactor(tx, caller.id))
    const isNew = await insertPasskey(tx, { userId: caller.id, ...passkey, ...deviceOf(userAgent) }, now())
    if (!isNew) throw new Refusal('EDIT_CONFLICT', { msg: texts.passkeyThere })
    await queueFactorMail(tx, caller.id, 'passkey added', now())
    await logOwn(tx, now(), caller, 'passkey added')
    if (!isFirst) return null
    await deleteSessionsOf(tx, caller.id, caller.tokenHash)
    await deleteTokensOf(tx, caller.id)
    await markProved(tx, caller.tokenHash)
    return replaceRecoveryCodes(tx, caller.id)
  })
}

/** Removes one of the caller's passkeys, and the recovery codes with the last factor. Refuses with NOT_FOUND. */
export async function removePasskey({ db, now }: Deps, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.id)
    if (!(await deletePasskey(tx, caller.id, id))) throw new Refusal('NOT_FOUND')
    await logOwn(tx, now(), caller, 'passkey removed')
    const isOff = await deleteUnneededCodes(tx, caller.id)
    await queueFactorMail(tx, caller.id, isOff ? 'second factor off' : 'passkey removed', now())
    if (isOff) await logOwn(tx, now(), caller, 'second factor off')
  })
}
