import { Refusal } from '../../contract/errors.ts'

const RETRY_AFTER_S = 5

/**
 * Makes a line in which jobs wait for their turn, one at a time. With `most` waiting already, the next is refused with UNAVAILABLE; a job
 * whose signal aborts while it waits leaves the line.
 */
export function makeLine(most: number) {
  const waiting: (() => void)[] = []
  let isBusy = false

  async function run<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await turn(signal)
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else isBusy = false
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!isBusy) {
      isBusy = true
      return
    }
    if (waiting.length >= most) throw new Refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER_S })
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason)
      }
      waiting.push(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return { run, waiting: () => waiting.length }
}
