import { LONGEST_AGO_MS } from '../../../contract/door.ts'

/** When something happened, by all the clocks that the phone has. Stored with the queue under these names. */
export interface Moment {
  /** The phone's clock, in ms. */
  clock: number
  /** Milliseconds since the page was opened, by a clock that nobody can set. */
  running: number
  /** Identifies the page load. */
  page: string
  /** How far the server's clock was ahead of the phone's, in ms, as last heard. */
  ahead: number
}

/** A phone's clock that moved against the server's by more than this, in ms, was set; what is less may be the time of an answer. */
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

/** Whether a moment is longer ago than the server accepts. */
export function isTooOld(made: Moment, now: Moment): boolean {
  return agoOf(made, now) >= LONGEST_AGO_MS
}
