import { useSyncExternalStore } from 'react'

let seenAt: Date | null = null
const listeners = new Set<() => void>()

/** Notes whether an answer came from what this device kept (by the header of our service worker), and from when. */
export function noteLastSeen(header: string | null): void {
  const next = header === null ? null : new Date(header)
  if (next?.getTime() === seenAt?.getTime()) return
  seenAt = next
  for (const listener of listeners) listener()
}

/** When the ticket shown was last seen; null when it is as it stands now. */
export function useLastSeen(): Date | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => seenAt,
  )
}
