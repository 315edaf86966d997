import { Refusal } from '../../contract/errors.ts'
import type { PasskeyProof } from '../../contract/passkeys.ts'
import * as texts from '../../texts/generated/api.ts'
import { rememberPlace } from '../auth/queries.ts'
import { type OpenedFrom, openSession, placeOf } from '../auth/sign-in.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, forgive, limitTries } from '../limits/limit-tries.ts'
import { lockUser } from '../records/user-queries.ts'
import { touchPasskey } from '../second-factor/passkey-queries.ts'
import { verifyProof } from '../second-factor/webauthn.ts'

/** Signs in with a passkey and opens a session. Refuses with WRONG_CREDENTIALS and TOO_MANY_TRIES. */
export async function signInWithPasskey(deps: Deps, proof: PasskeyProof, from: OpenedFrom) {
  const { db, now } = deps
  const tries = byNetwork('sign-in by network', from.address)
  await limitTries(deps, tries)
  const passkey = await verifyProof(deps, proof)
  if (!passkey) throw new Refusal('WRONG_CREDENTIALS', { msg: texts.passkeyUnknown })
  await forgive(db, tries)
  return db.transaction().execute(async (tx) => {
    // Whoever removes a passkey locks the user too.
    await lockUser(tx, passkey.userId)
    if (!(await touchPasskey(tx, passkey, now()))) throw new Refusal('WRONG_CREDENTIALS', { msg: texts.passkeyUnknown })
    await rememberPlace(tx, passkey.userId, placeOf(from.address), now())
    return openSession({ ...deps, db: tx }, passkey.userId, { ...from, provedFactor: true })
  })
}
