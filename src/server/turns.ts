import { Refusal } from '../contract/errors.ts'

interface Limits {
  /** How much work may wait in all; more is refused with UNAVAILABLE. */
  mostWaiting: number
  /** How much of one owner may wait; more is refused with TOO_MANY_TRIES, so that one club cannot fill the queue. */
  mostWaitingOfOne: number
}

/** Seconds after which somebody who was refused may try again. */
const RETRY_AFTER = 5

export type InTurn = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/** Makes a queue for work that is heavy on processor or memory: one at a time in this process, in the order of arrival. */
export function makeTurns({ mostWaiting, mostWaitingOfOne }: Limits): InTurn {
  const waiting: { owner: string; start: () => void }[] = []
  let isBusy = false

  const wait = (owner: string) => {
    if (waiting.length >= mostWaiting) throw new Refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER })
    if (waiting.filter((turn) => turn.owner === owner).length >= mostWaitingOfOne)
      throw new Refusal('TOO_MANY_TRIES', { retryAfter: RETRY_AFTER })
    return new Promise<void>((start) => waiting.push({ owner, start }))
  }
  return async (owner, work) => {
    if (isBusy) await wait(owner)
    isBusy = true
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The turn passes on directly, so that nobody who comes in between overtakes.
      if (next) next.start()
      else isBusy = false
    }
  }
}
