import { sha256 } from '@noble/hashes/sha2.js'
import { solveChallenge } from 'altcha-lib'
import type { Challenge } from '../../contract/proofs.ts'

/** Solves the challenge in the message. We bundle our own hashing, because the browser's is missing on pages without TLS. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  void solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution && { counter: solution.counter, derivedKey: solution.derivedKey }),
    () => postMessage(null),
  )
})

/** The library's SHA-256 key derivation: salt and password, hashed `cost` times. */
async function deriveKey({ cost }: { cost: number }, salt: Uint8Array, password: Uint8Array) {
  const first = new Uint8Array(salt.length + password.length)
  first.set(salt)
  first.set(password, salt.length)
  let derivedKey = sha256(first)
  for (let round = 1; round < cost; round++) derivedKey = sha256(derivedKey)
  return { derivedKey }
}
