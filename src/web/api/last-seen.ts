import { createStore, useStore } from './store.ts'

const seenAt = createStore<Date | null>(null)

/** Notes whether an answer came from what this device kept (by the header of our service worker), and from when. */
export function noteLastSeen(header: string | null): void {
  const next = header === null ? null : new Date(header)
  if (next?.getTime() !== seenAt.get()?.getTime()) seenAt.set(next)
}

/** When the ticket shown was last seen; null when it is as it stands now. */
export function useLastSeen(): Date | null {
  return useStore(seenAt)
}
