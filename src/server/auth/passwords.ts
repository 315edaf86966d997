import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../../contract/errors.ts'

// OWASP's first choice for argon2id (the library's default variant): 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hashing takes a core for tens of milliseconds; more than this at once would starve everything else.
const AT_ONCE = 2
/** Who comes when so many wait would wait for seconds, so they are told to come again. */
export const MOST_WAITING = 100
const RETRY_SECONDS = 5
let underWay = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MOST_WAITING) throw new Refusal('UNAVAILABLE', { retryAfter: RETRY_SECONDS })
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost))
}

let nobodysHash: Promise<string> | null = null

/** Whether the password fits. Without a hash (no such user) it takes the same time and answers no. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody signs in with this 1').catch((error: unknown) => {
    // Refused because too many wait: the next who needs it tries again.
    nobodysHash = null
    throw error
  })
  const fits = await verifyIn(passwordHash ?? (await nobodysHash), password)
  return fits && passwordHash !== null
}

function verifyIn(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password))
}
