import { sql } from 'kysely'
import type { Db } from './schema.ts'

const SYNC_EVERY_MS = 5_000
/** Smaller differences come from the network; following them would make time jump back and forth. */
const TOLERANCE_MS = 25

export interface Clock {
  now: () => Date
  stop: () => void
}

/**
 * The database's clock, for all times that are stored or compared: all servers share it, so a server whose own clock is wrong or changed
 * does no harm. Between synchronizations the elapsed time is measured, which is independent of the system clock.
 */
export async function databaseClock(db: Db): Promise<Clock> {
  let offset = await offsetOf(db, () => false)
  const isClose = (other: number) => Math.abs(other - offset) <= TOLERANCE_MS
  const sync = async () => {
    const latest = await offsetOf(db, isClose)
    if (!isClose(latest)) offset = latest
  }
  // An unavailable database is reported elsewhere.
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_EVERY_MS)
  timer.unref()
  return { now: () => new Date(offset + performance.now()), stop: () => clearInterval(timer) }
}

/** The offset to add to this process's uptime, in ms: from the first answer that is quick and close enough, or the quickest of three. */
async function offsetOf(db: Db, isCloseEnough: (offset: number) => boolean): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 }
  for (let n = 0; n < 3; n++) {
    const asked = performance.now()
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
    const took = performance.now() - asked
    const ms = Number(rows[0]?.ms)
    const offset = ms - asked - took / 2
    if (took <= TOLERANCE_MS && isCloseEnough(offset)) return offset
    if (took < best.took) best = { took, offset }
  }
  return best.offset
}
