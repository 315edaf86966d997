import { type RawBuilder, sql } from 'kysely'

/** Clocks of several servers differ by some seconds, and some time passes between planning and writing. */
export const SLACK_MS = 10 * 60_000

/**
 * Whether the time in a column has come. A time further ahead than `longestMs`, the most that is ever planned for this column, was
 * written while a clock was ahead: it counts as come, so that nothing waits for hours or days.
 */
export function isDue(column: string, now: Date, longestMs: number): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${tooFarAhead(now, longestMs)})`
}

/** A time behind which nothing can have been planned, see `isDue`. */
export function tooFarAhead(now: Date, longestMs: number): Date {
  return new Date(now.getTime() + longestMs + SLACK_MS)
}
