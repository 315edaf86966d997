const TICK_MS = 250

/**
 * Waits for `work`, but only for `ms`, then rejects with the result of `late`. Only time in which this process ran counts: after the event
 * loop was blocked, answers may have arrived that were not read yet. A later result of `work` is ignored.
 */
export async function withPatience<T>(ms: number, work: Promise<T>, late: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const lateness = new Promise<never>((_, reject) => {
    const wait = (left: number) => {
      timer = setTimeout(() => (left > TICK_MS ? wait(left - TICK_MS) : reject(late())), Math.min(left, TICK_MS))
    }
    wait(ms)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, lateness])
  } finally {
    clearTimeout(timer)
  }
}
