const WINDOW_MS = 2_000
/** The database counts as slow while no statement is faster than this, in ms. A busy one still answers some quickly. */
const SLOW_MS = 250

/** Measures how long the database takes to answer, by its fastest answer of the last seconds. */
export class Pulse {
  #waiting = 0
  #windowStart = 0
  #fastest = Number.POSITIVE_INFINITY
  #fastestBefore = Number.POSITIVE_INFINITY

  /** Notes that something waits for the database. Returns the function to call when it no longer does. */
  wait(): () => void {
    this.#waiting++
    return () => {
      this.#waiting--
    }
  }

  /** Notes that a statement is sent. Returns the function to call when it is answered, or given up. */
  ask(): () => void {
    const sentAt = performance.now()
    const stopWaiting = this.wait()
    return () => {
      stopWaiting()
      this.#turnWindow()
      this.#fastest = Math.min(this.#fastest, performance.now() - sentAt)
    }
  }

  /** Whether something waits and no statement was answered quickly for some seconds: the database or the network is slow, or silent. */
  isSlow(): boolean {
    this.#turnWindow()
    return this.#waiting > 0 && Math.min(this.#fastest, this.#fastestBefore) > SLOW_MS
  }

  #turnWindow(): void {
    const now = performance.now()
    const age = now - this.#windowStart
    if (age < WINDOW_MS) return
    this.#fastestBefore = age < 2 * WINDOW_MS ? this.#fastest : Number.POSITIVE_INFINITY
    this.#fastest = Number.POSITIVE_INFINITY
    this.#windowStart = now
  }
}
