import type { Verdict } from './verdict.ts'

/** The content of the screen: a verdict, or a question to staff. */
export type OnScreen = Verdict['kind'] | 'ask'

/** The minimum time that a verdict is shown before a later scan replaces it, in ms: "in", and every other one. */
const LEAST_IN_MS = 400
const LEAST_MS = 1_000

export interface Turns {
  /** Runs it now, or when its turn has come. */
  add: (work: () => Promise<void>) => void
  /** Runs it at once, as the answer to a question on the screen; does nothing while another is running. */
  runNow: (work: () => Promise<void>) => void
  /** Whether work that is added now would run at once. */
  isFree: () => boolean
  /** Notes what is on the screen from now on; null when it was cleared. */
  show: (kind: OnScreen | null) => void
  /** Returns a check whether no other turn has begun since, so that a late verdict does not replace another's. */
  makeIsLatest: () => () => boolean
  /** Drops the waiting work, because the scanner was closed. */
  stop: () => void
}

/**
 * Runs scans one at a time, in the order in which they came. No scan replaces a verdict before anybody can have seen it, nor a question
 * before it is answered. A scan that came before a verdict other than "in" was shown waits until that is cleared; one that came after it
 * replaces it.
 */
export function makeTurns(): Turns {
  const waiting: { work: () => Promise<void>; addedAt: number }[] = []
  let isBusy = false
  let shown: { kind: OnScreen; since: number } | null = null
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** How long a scan added at this time has to wait, in ms; null: until something else happens. */
  function waitOf(addedAt: number): number | null {
    if (isBusy || shown?.kind === 'ask') return null
    if (!shown) return 0
    const { kind, since } = shown
    if (kind !== 'in' && addedAt < since) return null
    return Math.max(0, since + (kind === 'in' ? LEAST_IN_MS : LEAST_MS) - performance.now())
  }
  function next(): void {
    clearTimeout(timer)
    const [first] = waiting
    const ms = first ? waitOf(first.addedAt) : null
    if (!first || ms === null) return
    if (ms > 0) {
      timer = setTimeout(next, ms)
      return
    }
    waiting.shift()
    begin(first.work)
  }
  function begin(work: () => Promise<void>): void {
    isBusy = true
    shown = null
    count++
    void work().finally(() => {
      isBusy = false
      next()
    })
  }
  return {
    add: (work) => {
      waiting.push({ work, addedAt: performance.now() })
      next()
    },
    runNow: (work) => {
      if (!isBusy) begin(work)
    },
    isFree: () => waiting.length === 0 && waitOf(performance.now()) === 0,
    show: (kind) => {
      shown = kind && { kind, since: performance.now() }
      next()
    },
    makeIsLatest: () => {
      const mine = count
      return () => mine === count
    },
    stop: () => {
      clearTimeout(timer)
      waiting.length = 0
    },
  }
}
