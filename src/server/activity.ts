/** Workers look for work often for this long after something has happened, in ms. */
const RECENT_MS = 30_000

/**
 * Whether something happened recently that may have made background work: a call that changes something, or work itself. Otherwise workers
 * look only now and then, for scheduled work and for what a process that ended has left.
 */
export interface Activity {
  /** Something has happened. */
  note: () => void
  isRecent: () => boolean
  /** Calls `wake` once when the next thing happens; returns the function that cancels this. */
  onNext: (wake: () => void) => () => void
}

/** One for each process: work that another process makes is done by its own workers. */
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
