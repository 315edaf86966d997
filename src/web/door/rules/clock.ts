import { LONGEST_AGO_MS } from '../../../contract/door.ts'

/** A point in time by all clocks of the phone. Stored with the queue under these names. */
export interface Moment {
  /** The phone's clock, in ms. */
  clock: number
  /** Milliseconds since the page was opened, by a clock that nobody can set. */
  running: number
  /** Identifies the page load. */
  page: string
  /** How far the server's clock was ahead of the phone's at the last answer, in ms. */
  ahead: number
}

/** A larger change of the offset to the server's clock, in ms, means that the phone's clock was set; a smaller one may be latency. */
export const CLOCK_WAS_SET_MS = 30_000

/**
 * How long ago a moment was, in ms. By the phone's clock, however wrong it is: the same error in both moments cancels out. If that clock
 * was set in between, then by the page's own clock within one page load, otherwise by the server's.
 */
export function agoOf(made: Moment, now: Moment): number {
  const wasSet = Math.abs(made.ahead - now.ahead) > CLOCK_WAS_SET_MS
  const byClock = now.clock - made.clock
  const byServer = byClock + now.ahead - made.ahead
  const ago = !wasSet ? byClock : made.page === now.page ? now.running - made.running : byServer
  return Math.min(LONGEST_AGO_MS, Math.max(0, Math.round(ago)))
}

/** Whether a moment is too long ago for the server to accept it. */
export function isTooOld(made: Moment, now: Moment): boolean {
  return agoOf(made, now) >= LONGEST_AGO_MS
}
