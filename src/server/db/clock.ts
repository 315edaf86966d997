import { sql } from 'kysely'
import type { Db } from './schema.ts'

const SYNC_EVERY_MS = 5_000
/** Smaller differences are the network's; to follow them would make time go back and forth. */
const TOLERANCE_MS = 25

export interface Clock {
  now: () => Date
  stop: () => void
}

/**
 * The database's clock, for everything that is written or compared: all servers share it, and one whose own clock is wrong or is
 * set does no harm. Between two looks at it the time that has passed is measured, which setting a clock does not change.
 */
export async function databaseClock(db: Db): Promise<Clock> {
  let offset = await offsetOf(db)
  const sync = async () => {
    const latest = await offsetOf(db)
    if (Math.abs(latest - offset) > TOLERANCE_MS) offset = latest
  }
  // A database that is away is told of elsewhere.
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_EVERY_MS)
  timer.unref()
  return { now: () => new Date(offset + performance.now()), stop: () => clearInterval(timer) }
}

/** What is to be added to the time this process has run, in ms. The quickest of three answers tells it best. */
async function offsetOf(db: Db): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 }
  for (let n = 0; n < 3; n++) {
    const asked = performance.now()
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
    const took = performance.now() - asked
    const ms = Number(rows[0]?.ms)
    if (took < best.took) best = { took, offset: ms - asked - took / 2 }
  }
  return best.offset
}
