import { Refusal } from '../../contract/errors.ts'
import { isSlow } from '../db/connect.ts'
import type { Db } from '../db/schema.ts'

/** While the database is slow or silent every call is answered within five seconds; in ms, with a little left for the way. */
const DEADLINE_MS = 4_700
/** The same for calls that are marked `slow`, bring an image or answer a file; and for all while the database is well. */
const LONGEST_MS = 30_000
const CHECK_EVERY_MS = 250

/**
 * Measures how long a call works, without the time in which its body arrives. What takes too long is answered with UNAVAILABLE; the
 * work itself may still be finished, so a repetition carries the same key. A server that is only busy takes its time: to turn
 * visitors away would make more work, not less.
 */
export class Deadline {
  readonly #db: Db
  readonly #soonest: number
  #spent = 0

  constructor(db: Db, takesLong: boolean) {
    this.#db = db
    this.#soonest = takesLong ? LONGEST_MS : DEADLINE_MS
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const check = () => {
        const spent = this.#spent + performance.now() - start
        const isOver = spent >= LONGEST_MS || (spent >= this.#soonest && isSlow(this.#db))
        if (isOver) reject(new Refusal('UNAVAILABLE', { retryAfter: 2 }))
        else timer = setTimeout(check, CHECK_EVERY_MS)
      }
      timer = setTimeout(check, CHECK_EVERY_MS)
    })
    const answer = work()
    // A later result is ignored.
    answer.catch(() => {})
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
      this.#spent += performance.now() - start
    }
  }
}
