const SECOND = 1_000
const HOUR = 3_600 * SECOND

/** The longest time between two tries, in ms. */
export const LONGEST_GAP_MS = 6 * HOUR
/** For how long a message is tried, in ms. */
const TRIED_FOR_MS = 72 * HOUR

interface Tried {
  /** How many tries there were. */
  attempts: number
  firstTriedAt: Date
}

/** When a message is tried next: after 10 s, then four times as long each time up to six hours; null when three days are over. */
export function nextTry({ attempts, firstTriedAt }: Tried, now: Date): Date | null {
  const gapMs = Math.min(10 * SECOND * 4 ** Math.min(attempts - 1, 20), LONGEST_GAP_MS)
  const next = now.getTime() + gapMs
  return next > firstTriedAt.getTime() + TRIED_FOR_MS ? null : new Date(next)
}
