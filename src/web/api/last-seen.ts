import { createStore, useStore } from './store.ts'

const seenAt = createStore<Date | null>(null)

/** Notes whether an answer came from this device's cache (by the header of our service worker), and its time. */
export function noteLastSeen(header: string | null): void {
  const next = header === null ? null : new Date(header)
  if (next?.getTime() !== seenAt.get()?.getTime()) seenAt.set(next)
}

/** When the ticket shown was last fetched; null when it is up to date. */
export function useLastSeen(): Date | null {
  return useStore(seenAt)
}
