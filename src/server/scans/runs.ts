import { batch, LINGER_MS } from '../db/batch.ts'
import { isAboutValues, isCollision, isLocked } from '../db/violations.ts'
import { isScanTaken } from './queries.ts'

/** More than the 200 scans of one call, so that those of different tickets are one transaction if nobody else waits. */
const MOST = 256

interface OfEvent {
  event: { id: number }
}

/**
 * Decides the scans of an event that wait at the same moment together, in one transaction, each with its own outcome. Scans that share a key
 * must see each other's outcome: they never go together. What fails only because others held a lock, or decided the same scan, is tried again.
 */
export function decideTogether<S extends OfEvent, A>(
  decide: (scans: S[]) => Promise<A[]>,
  keysOf: (scan: S) => readonly string[],
): (scan: S) => Promise<A> {
  return batch(decide, {
    most: MOST,
    atOnce: 4,
    lingerMs: LINGER_MS,
    laneOf: ({ event }) => event.id,
    keysOf,
    isWorthSplitting: isAboutValues,
    isInTheWay: (error) => isLocked(error) || isCollision(error) || isScanTaken(error),
  })
}
