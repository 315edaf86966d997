import { countDuring, createStore, useStore } from './store.ts'

const challenges = createStore(0)

/** Notes that a challenge is being solved until it is. */
export function proving<T>(work: Promise<T>): Promise<T> {
  return countDuring(challenges, work)
}

/** Whether a challenge is being solved just now. */
export function useIsProving(): boolean {
  return useStore(challenges) > 0
}
