import { setTimeout as wait } from 'node:timers/promises'

/**
 * The whole stop takes at most this long, in ms: supervisors kill after 10 s. Parts that are late are abandoned; the database is stopped
 * last.
 */
export const STOP_MS = 8_500
/** The database gets at least this long to stop, in ms. */
export const LEAST_DATABASE_MS = 1_500

/** Closes one part; one that may take long ends by `stopBy`. */
type Close = (stopBy: number) => Promise<unknown>

export type OpenedParts = ReturnType<typeof openedParts>

/** The parts opened so far, and the function that closes them all in reverse, once. */
export function openedParts() {
  const closers: Close[] = []
  let closing: Promise<void> | null = null
  async function closeAll(): Promise<void> {
    const stopBy = Date.now() + STOP_MS
    for (let close = closers.pop(); close; close = closers.pop()) await close(stopBy).catch(() => {})
  }
  return {
    add: (close: Close) => void closers.push(close),
    close: () => (closing ??= closeAll()),
    isClosing: () => closing !== null,
  }
}

/** Waits for it, but not longer than this. */
export function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, wait(ms, null, { ref: false })])
}
