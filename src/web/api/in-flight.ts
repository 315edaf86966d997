import { useSyncExternalStore } from 'react'

let inFlight = 0
const listeners = new Set<() => void>()

/** Counts a request until its answer is there. */
export async function counted<T>(request: Promise<T>): Promise<T> {
  change(1)
  try {
    return await request
  } finally {
    change(-1)
  }
}

function change(by: number): void {
  inFlight += by
  for (const listener of listeners) listener()
}

/** Whether any request is in flight. */
export function useIsBusy(): boolean {
  return useSyncExternalStore(subscribe, () => inFlight > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
