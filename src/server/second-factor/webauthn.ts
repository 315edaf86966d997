import { type NewPasskey, PASSKEY_ASKED_MS, type PasskeyProof } from '../../contract/passkeys.ts'
import type { Deps } from '../deps.ts'
import { hashOf, newToken } from '../tokens.ts'
import { findPasskey, insertChallenge, takeChallenge } from './passkey-queries.ts'

/** Longer than the browser asks: the answer has to travel too. */
const CHALLENGE_MS = PASSKEY_ASKED_MS + 60_000

/** What passkeys of this site are bound to: its name without the port, and its origin. */
export function siteOf({ settings }: Pick<Deps, 'settings'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(settings.baseUrl)
  return { rpId: hostname, origin }
}

/** Makes what a passkey has to sign; `userId` is whoever adds one, null for using one. */
export async function newChallenge({ db, now }: Deps, userId: number | null): Promise<string> {
  const challenge = newToken()
  await insertChallenge(db, { challengeHash: hashOf(challenge), userId }, new Date(now().getTime() + CHALLENGE_MS))
  return challenge
}

/** Only when the first one is used: most servers see few, and it takes a moment to load. */
const library = () => import('@simplewebauthn/server')

/** What both verifications compare with. The person has to have unlocked the device, else a passkey would be one factor only. */
function expected(deps: Deps, noteChallenge: (challenge: string) => void) {
  const { rpId, origin } = siteOf(deps)
  return {
    // Looked up afterwards: the library takes any failure here for a wrong answer.
    expectedChallenge: (challenge: string) => {
      noteChallenge(challenge)
      return true
    },
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
}

/** The passkey that somebody has made; null when it is not a valid answer to a challenge of theirs. */
export async function verifyNew(deps: Deps, userId: number, made: NewPasskey) {
  const { id, clientDataJSON, attestationObject } = made
  const { verifyRegistrationResponse } = await library()
  let signed = ''
  const { registrationInfo } = await verifyRegistrationResponse({
    ...expected(deps, (challenge) => (signed = challenge)),
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
  }).catch(asNone)
  if (!registrationInfo || !(await isOurs(deps, signed, userId))) return null
  const { credential } = registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  }
}

/** A passkey that was proved, with what its device counts now. */
export interface ProvedPasskey {
  id: number
  userId: number
  counter: number
}

/** Whose passkey has signed; null when it is unknown, or has not signed a challenge of ours. */
export async function verifyProof(deps: Deps, proof: PasskeyProof): Promise<ProvedPasskey | null> {
  const { id, clientDataJSON, authenticatorData, signature } = proof
  const passkey = await findPasskey(deps.db, id)
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await library()
  let signed = ''
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expected(deps, (challenge) => (signed = challenge)),
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
  }).catch(asNone)
  if (!verified || !authenticationInfo || !(await isOurs(deps, signed, null))) return null
  return { id: passkey.id, userId: passkey.userId, counter: authenticationInfo.newCounter }
}

/** Whether this challenge was made by us for that, and was not used yet. It is used up. */
function isOurs({ db, now }: Deps, challenge: string, userId: number | null): Promise<boolean> {
  return takeChallenge(db, { challengeHash: hashOf(challenge), userId }, now())
}

/** The library throws for whatever is wrong with an answer. */
function asNone(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false }
}
