import { createHmac } from 'node:crypto'
import { decodeCBOR } from '@levischuck/tiny-cbor'
import { type NewPasskey, PASSKEY_ASKED_MS, type PasskeyProof } from '../../contract/passkeys.ts'
import type { Db } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findSecret } from '../records/secret-queries.ts'
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

/** The kinds of keys that we can verify, by their numbers in COSE: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257]

/** Only when the first one is used: most servers see few, and it takes a moment to load. */
const library = () => import('@simplewebauthn/server')

/** WebAuthn's user handle: a device keeps one passkey for each. It stays the same, and does not tell who it is. */
export async function handleOf(db: Db, userId: number): Promise<string> {
  return createHmac('sha256', await findSecret(db, 'passkeys'))
    .update(String(userId))
    .digest('base64url')
}

/** The options of both verifications. The person has to have unlocked the device, else a passkey would be one factor only. */
function expected(deps: Deps, noteChallenge: (challenge: string) => void) {
  const { rpId, origin } = siteOf(deps)
  return {
    // Looked up afterwards: the library takes any failure here for a wrong answer.
    expectedChallenge: (challenge: string) => {
      // The browser's own data, which anybody can make up.
      if (typeof challenge !== 'string') return false
      noteChallenge(challenge)
      return true
    },
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
}

/**
 * Whether a new passkey comes without certificates of its maker, for which we do not ask. To check some, the library would fetch lists of revoked ones from
 * addresses that they name.
 */
export function isWithoutCertificates(attestationObject: string): boolean {
  try {
    const attestation = decodeCBOR(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    if (!(attestation instanceof Map)) return false
    const [format, statement] = [attestation.get('fmt'), attestation.get('attStmt')]
    return format === 'none' || (format === 'packed' && statement instanceof Map && !statement.has('x5c'))
  } catch {
    return false
  }
}

/** The passkey that somebody has made; null when it is not a valid answer to a challenge of theirs. */
export async function verifyNew(deps: Deps, userId: number, made: NewPasskey) {
  const { id, clientDataJSON, attestationObject } = made
  if (!isWithoutCertificates(attestationObject)) return null
  const { verifyRegistrationResponse } = await library()
  let signed = ''
  const { registrationInfo } = await verifyRegistrationResponse({
    ...expected(deps, (challenge) => (signed = challenge)),
    supportedAlgorithmIDs: ALGORITHMS,
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
  }).catch(asNone)
  // Only what was sent beside it was checked for its length.
  if (registrationInfo?.credential.id !== id || !(await isOurs(deps, signed, userId))) return null
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

/** Whether we made this challenge for this purpose, and nobody has used it yet. Uses it up. */
function isOurs({ db, now }: Deps, challenge: string, userId: number | null): Promise<boolean> {
  return takeChallenge(db, { challengeHash: hashOf(challenge), userId }, now())
}

/** The library throws for whatever is wrong with an answer. */
function asNone(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false }
}
