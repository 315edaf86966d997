import { hash, verify } from '@node-rs/argon2'
import { makeTurns } from '../turns.ts'

// OWASP's first choice for argon2id (the library's default variant): 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hashing takes a core for tens of milliseconds; more than this at once would starve everything else.
const inTurn = makeTurns({ atOnce: 2, mostWaiting: 100 })

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost))
}

let nobodysHash: Promise<string> | null = null

/** Whether the password matches. Without a hash (no such user, or one that is being removed) it takes the same time and returns false. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody signs in with this 1').catch((error: unknown) => {
    // Refused because too many wait: the next caller tries again.
    nobodysHash = null
    throw error
  })
  const fits = await verifyIn(passwordHash || (await nobodysHash), password)
  return fits && passwordHash !== null && passwordHash !== ''
}

function verifyIn(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password))
}
