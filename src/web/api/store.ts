import { useSyncExternalStore } from 'react'

/** Calls all its listeners on `emit`. */
export function createEmitter() {
  const listeners = new Set<() => void>()
  return {
    emit(): void {
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** One value outside React that components can subscribe to. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
  /** The value used when rendering on the server. */
  initial: T
}

export function createStore<T>(initial: T): Store<T> {
  const { emit, subscribe } = createEmitter()
  let value = initial
  const set = (next: T) => {
    value = next
    emit()
  }
  return { get: () => value, set, subscribe, initial }
}

/** The store's current value; renders again when it changes. */
export function useStore<T>({ subscribe, get, initial }: Pick<Store<T>, 'subscribe' | 'get' | 'initial'>): T {
  return useSyncExternalStore(subscribe, get, () => initial)
}

/** Adds one to the store until the work is done. */
export async function countDuring<T>(count: Store<number>, work: Promise<T>): Promise<T> {
  count.set(count.get() + 1)
  try {
    return await work
  } finally {
    count.set(count.get() - 1)
  }
}
