import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/schema.ts'
import { countTries } from './queries.ts'

const WINDOW_MS = 15 * 60_000

interface Limit {
  /** What is counted, such as one account or one address; hashed where it says who. */
  key: string
  /** How many tries a quarter of an hour allows. */
  most: number
}

/**
 * Counts one try under each key, in the database so that it holds over many servers. Called before the work, so that tries
 * made at the same moment count too. Refuses with TOO_MANY_TRIES and the seconds until the next.
 */
export async function limitTries(db: Db, now: Date, limits: readonly Limit[]): Promise<void> {
  const keys = limits.map(({ key }) => key)
  const tries = await countTries(db, keys, now, new Date(now.getTime() - WINDOW_MS))
  const over = limits
    .map(({ key, most }) => ({ most, tried: tries.get(key) }))
    .find(({ most, tried }) => tried && tried.count > most)
  if (!over?.tried) return
  const retryAfter = Math.ceil((over.tried.windowStart.getTime() + WINDOW_MS - now.getTime()) / 1000)
  throw new Refusal('TOO_MANY_TRIES', { retryAfter: Math.max(1, retryAfter) })
}
