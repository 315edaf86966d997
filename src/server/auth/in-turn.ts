import { Refusal } from '../../contract/errors.ts'

interface Options {
  /** How many pieces of work are done at once. */
  atOnce: number
  /** Whoever comes when so many wait would wait too long, and is told to come again. */
  mostWaiting: number
  /** After how many seconds. */
  retryAfter: number
}

/** Makes the function that does work in turn, so many at once. Refuses with UNAVAILABLE when too many wait. */
export function makeTurns({ atOnce, mostWaiting, retryAfter }: Options): <T>(work: () => Promise<T>) => Promise<T> {
  let underWay = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (underWay >= atOnce && waiting.length >= mostWaiting) throw new Refusal('UNAVAILABLE', { retryAfter })
    if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else underWay++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }
}
