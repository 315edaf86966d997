import type { Verdict } from './verdict.ts'

/** What stands on the screen: a verdict, or somebody about whom something is asked. */
export type Face = Verdict['kind'] | 'ask'

/** So long, in ms, each verdict is there to be seen before a later code takes its place. */
const IN_SEEN_MS = 400
const SEEN_MS = 1_000

export interface Turns {
  /** Does it now, or when its turn has come. */
  add: (work: () => Promise<void>) => void
  /** Does it at once, as the answer to what is asked; nothing while another is under way. */
  answer: (work: () => Promise<void>) => void
  /** Whether what comes now would be done at once. */
  isFree: () => boolean
  /** Says what stands on the screen from now on; null when it was cleared. */
  show: (face: Face | null) => void
  /** Whether nothing else was begun since this was called: what it shows late would be in nobody's place. */
  stillMine: () => () => boolean
  /** Forgets what waits: nobody looks at the screen any more. */
  stop: () => void
}

/**
 * One code after the other, in the order in which they came: none takes the place of what nobody can have seen yet. Who is asked about
 * stays until that is answered. What was scanned before a verdict that is not "in" was there waits until that is cleared; what is scanned
 * in sight of it clears it.
 */
export function makeTurns(): Turns {
  const waiting: { work: () => Promise<void>; cameAt: number }[] = []
  let isBusy = false
  let shown: { face: Face; since: number } | null = null
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** How long one that came then has to wait, in ms; null: until something else happens. */
  function waitOf(cameAt: number): number | null {
    if (isBusy || shown?.face === 'ask') return null
    if (!shown) return 0
    const { face, since } = shown
    if (face !== 'in' && cameAt < since) return null
    return Math.max(0, since + (face === 'in' ? IN_SEEN_MS : SEEN_MS) - performance.now())
  }
  function next(): void {
    clearTimeout(timer)
    const [first] = waiting
    const ms = first ? waitOf(first.cameAt) : null
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
      waiting.push({ work, cameAt: performance.now() })
      next()
    },
    answer: (work) => {
      if (!isBusy) begin(work)
    },
    isFree: () => waiting.length === 0 && waitOf(performance.now()) === 0,
    show: (face) => {
      shown = face && { face, since: performance.now() }
      next()
    },
    stillMine: () => {
      const mine = count
      return () => mine === count
    },
    stop: () => {
      clearTimeout(timer)
      waiting.length = 0
    },
  }
}
