import { createHash } from 'node:crypto'
import type { Challenge, Proof } from '../../src/contract/proofs.ts'

/** Computes a proof of work as the web's worker does, but synchronously; returns the header's value. */
export function solveProof(challenge: Challenge): string {
  const { nonce, salt, cost, keyPrefix } = challenge.parameters
  const text = Buffer.from(`${salt}${nonce}00000000`, 'hex')
  for (let counter = 0; ; counter++) {
    text.writeUInt32BE(counter, text.length - 4)
    let key = createHash('sha256').update(text).digest()
    for (let round = 1; round < cost; round++) key = createHash('sha256').update(key).digest()
    const derivedKey = key.toString('hex')
    if (!derivedKey.startsWith(keyPrefix)) continue
    const proof: Proof = { challenge, solution: { counter, derivedKey } }
    return Buffer.from(JSON.stringify(proof)).toString('base64')
  }
}
