const MINUTE = 60_000

/** How long an unpaid registration keeps its seat. */
export const HOLD_MS = 30 * MINUTE
