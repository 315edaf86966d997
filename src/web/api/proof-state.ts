import { useSyncExternalStore } from 'react'

let underWay = 0
const listeners = new Set<() => void>()

/** Notes that a challenge is being solved until it is. */
export async function proving<T>(work: Promise<T>): Promise<T> {
  change(1)
  try {
    return await work
  } finally {
    change(-1)
  }
}

function change(by: number): void {
  underWay += by
  for (const listener of listeners) listener()
}

/** Whether a challenge is being solved just now. */
export function useIsProving(): boolean {
  return useSyncExternalStore(subscribe, () => underWay > 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
