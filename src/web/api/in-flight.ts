import { countDuring, createStore, useStore } from './store.ts'

const requests = createStore(0)

/** Counts a request until it is answered. */
export function counted<T>(request: Promise<T>): Promise<T> {
  return countDuring(requests, request)
}

/** Whether any request is in flight. */
export function useIsBusy(): boolean {
  return useStore(requests) > 0
}
