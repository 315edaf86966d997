/** Work is looked for often for so long after something has happened, in ms. */
const RECENT_MS = 30_000

/**
 * Whether something has happened lately that may have made work for the background: a call that changes something, or work itself. While
 * nothing has, workers look only now and then, for what is planned and for what a process that ended has left.
 */
export interface Activity {
  /** Something has happened. */
  note: () => void
  isRecent: () => boolean
  /** Calls this once when the next thing happens; answers the function with which to forget that. */
  onNext: (wake: () => void) => () => void
}

/** One for each process: what another one makes, its own workers do. */
export function makeActivity(): Activity {
  const sleeping = new Set<() => void>()
  let notedAt = performance.now()
  return {
    note: () => {
      notedAt = performance.now()
      for (const wake of sleeping) wake()
      sleeping.clear()
    },
    isRecent: () => performance.now() - notedAt < RECENT_MS,
    onNext: (wake) => {
      sleeping.add(wake)
      return () => sleeping.delete(wake)
    },
  }
}
