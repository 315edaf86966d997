import { Refusal } from '../contract/errors.ts'

interface Limits {
  /** How many pieces of work run at once; one by default. */
  atOnce?: number
  /** How many may wait in all; more are refused with UNAVAILABLE. */
  mostWaiting: number
  /** How many of one owner may wait; more are refused with TOO_MANY_TRIES, so that one club cannot fill the queue. */
  mostWaitingOfOne?: number
}

interface Who {
  /** The owner of the work, where owners have a share of the queue. */
  owner?: string
  /** Aborts when nobody waits for the work any more: it leaves the queue, unless it has begun. */
  signal?: AbortSignal
}

/** Seconds after which somebody who was refused may try again. */
const RETRY_AFTER = 5

export type InTurn = <T>(work: () => Promise<T>, who?: Who) => Promise<T>

/**
 * Makes a queue for work that is heavy on processor or memory: a limited number runs at a time in this process, in the order of arrival.
 */
export function makeTurns({ atOnce = 1, mostWaiting, mostWaitingOfOne = mostWaiting }: Limits): InTurn {
  const waiting: { owner: string | undefined; start: () => void }[] = []
  let underWay = 0

  async function wait({ owner, signal }: Who): Promise<void> {
    if (waiting.length >= mostWaiting) throw new Refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER })
    if (owner !== undefined && waiting.filter((turn) => turn.owner === owner).length >= mostWaitingOfOne)
      throw new Refusal('TOO_MANY_TRIES', { retryAfter: RETRY_AFTER })
    await new Promise<void>((resolve, reject) => {
      const turn = {
        owner,
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(signal?.reason)
      }
      waiting.push(turn)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return async (work, who = {}) => {
    who.signal?.throwIfAborted()
    // A turn passes on directly, so that nobody who comes in between overtakes.
    if (underWay >= atOnce) await wait(who)
    else underWay++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next.start()
      else underWay--
    }
  }
}
