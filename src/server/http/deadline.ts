import { Refusal } from '../../contract/errors.ts'
import { isSlow } from '../db/connect.ts'
import type { Db } from '../db/schema.ts'

/** While the database is slow or silent every call is answered within five seconds; in ms, with some margin for the network. */
const DEADLINE_MS = 4_700
/** The same for calls that are marked `slow`, bring an image or answer a file; and for all calls while the database is healthy. */
const LONGEST_MS = 30_000
const CHECK_EVERY_MS = 250

/** A piece of work that is watched. It has fields instead of closures, which take less memory: in a rush there are hundreds at a time. */
class Watched {
  /** Its place in the list. */
  place = 0
  readonly #deadline: Deadline
  readonly #start = performance.now()
  readonly #reject: (refusal: Refusal) => void

  constructor(deadline: Deadline, reject: (refusal: Refusal) => void) {
    this.#deadline = deadline
    this.#reject = reject
  }

  /** How long it has taken so far, in ms. */
  get spent(): number {
    return performance.now() - this.#start
  }

  /** Refuses it when it has taken too long. */
  check(): void {
    if (this.#deadline.isOver(this.spent)) this.#reject(new Refusal('UNAVAILABLE', { retryAfter: 2 }))
  }
}

/**
 * All work under way. One timer checks it: a timer for each of thousands of calls a second would cost more than most calls. An entry leaves
 * as soon as its work has ended. When entries outlive their calls, V8 starts to allocate new ones in the old generation, together with all
 * they refer to, which is then kept until the next full garbage collection (decision 96). It is not a Set either: V8 copies one that changes
 * so often again and again, and the copies keep what they held.
 */
const watched: Watched[] = []
let timer: NodeJS.Timeout | undefined

function watch(work: Watched): void {
  work.place = watched.length
  watched.push(work)
  timer ??= setInterval(() => {
    for (const work of watched) work.check()
    if (watched.length > 0) return
    clearInterval(timer)
    timer = undefined
  }, CHECK_EVERY_MS)
}

/** Removes work from the list; the last takes its place. */
function unwatch(work: Watched): void {
  const last = watched.pop()
  if (last === undefined || last === work) return
  watched[work.place] = last
  last.place = work.place
}

/**
 * Measures a call's working time, without the time in which its body arrives. A call that takes too long is answered with UNAVAILABLE; its
 * work may still be finished, so a retry carries the same key. A server that is only busy takes its time: turning visitors away would make
 * more work, not less.
 */
export class Deadline {
  readonly #db: Db
  readonly #soonest: number
  #spent = 0

  constructor(db: Db, takesLong: boolean) {
    this.#db = db
    this.#soonest = takesLong ? LONGEST_MS : DEADLINE_MS
  }

  /** Whether the call has taken too long, if its current work has taken `current` ms. */
  isOver(current: number): boolean {
    const spent = this.#spent + current
    return spent >= LONGEST_MS || (spent >= this.#soonest && isSlow(this.#db))
  }

  within<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const entry = new Watched(this, reject)
      watch(entry)
      const end = () => {
        unwatch(entry)
        this.#spent += entry.spent
      }
      // A result that comes after the refusal is ignored.
      work().then(
        (result) => {
          end()
          resolve(result)
        },
        (error: unknown) => {
          end()
          reject(error)
        },
      )
    })
  }
}
