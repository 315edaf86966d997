import { type RawBuilder, sql } from 'kysely'

/** Clocks of several servers differ by some seconds, and some time passes between planning and writing. */
export const SLACK_MS = 10 * 60_000

/**
 * Whether the time in a column has come. A time further ahead than `longestMs`, the longest delay of this column, was written while a clock
 * was ahead: it counts as due, so that nothing waits for hours or days.
 */
export function isDue(column: string, now: Date, longestMs: number): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${tooFarAhead(now, longestMs)})`
}

/** A time after which nothing can have been scheduled, see `isDue`. */
export function tooFarAhead(now: Date, longestMs: number): Date {
  return new Date(now.getTime() + longestMs + SLACK_MS)
}
