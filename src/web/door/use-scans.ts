import { useCallback, useEffect, useRef, useState } from 'react'
import { notify } from '../ui/notify.ts'
import { decideByHand, decideCode, preview } from './decide.ts'
import type { Door } from './door.ts'
import { signal } from './signal.ts'
import { unsure, type Verdict } from './verdict.ts'

/** What fills the screen: a verdict, or (with `confirm`) somebody who comes in only when that is said. */
export interface Shown {
  verdict: Verdict
  /** When the code was read, by the page's own clock. */
  readAt: number
  confirm: (() => void) | null
}

/** The same code stays before the camera for many frames; within this time since it was last seen that is one scan. */
const SAME_CODE_MS = 3_000
/** How long a verdict stays when the next scan does not come first. */
const SHOWN_MS = { in: 1_200, already: 3_000, refused: 3_000, unsure: 4_000 } as const
/** What is to be read takes its time. */
const NOTE_MS = 1_000

/**
 * Scans one after the other: each clears what the last one showed. While `isPaused`, the camera's codes are passed over, and what
 * comes late is told without taking the screen.
 */
export function useScans(door: Door, isPaused: boolean) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const paused = useRef(isPaused)
  paused.current = isPaused
  const state = useRef({ isBusy: false, isAsking: false, count: 0, next: [] as (() => void)[] }) // Those that wait, in their order.

  const show = useCallback(
    (verdict: Verdict, readAt: number, confirm: Shown['confirm'] = null) => {
      state.current.isAsking = confirm !== null
      setShown({ verdict, readAt, confirm })
      if (!confirm) signal(verdict.kind, door.device.sound)
    },
    [door],
  )

  const run = useCallback(
    async (decide: (show: (verdict: Verdict) => void) => Promise<Verdict | null>): Promise<void> => {
      const readAt = performance.now()
      const now = state.current
      const count = ++now.count
      now.isBusy = true
      now.isAsking = false
      setBusy(true)
      setShown(null)
      // What comes late is shown only while nobody else has been scanned.
      const showLate = (verdict: Verdict) => {
        if (paused.current) notify('success', `${verdict.name ?? 'The last ticket'}: ${verdict.word.toLowerCase()}`)
        else if (count === now.count) show(verdict, performance.now())
      }
      const verdict = await decide(showLate).catch(() =>
        unsure('Something went wrong on this phone. Please try again.'),
      )
      now.isBusy = false
      setBusy(false)
      if (verdict) show(verdict, readAt)
      now.next.shift()?.()
    },
    [show],
  )

  /** A code that is meant now: typed, or by a scanner. It waits while another is being decided. */
  const scan = useCallback(
    (code: string): void => {
      if (state.current.isBusy) {
        state.current.next.push(() => scan(code))
        return
      }
      const decide = () => void run((late) => decideCode(door, code, late))
      if (door.device.mode === 'express') {
        decide()
        return
      }
      void run(async () => {
        const judgement = await preview(door, code)
        if (judgement?.verdict.kind !== 'in')
          return judgement?.verdict ?? unsure('This phone has no list of the event yet.')
        show({ ...judgement.verdict, word: 'Let in?' }, performance.now(), decide)
        return null
      })
    },
    [door, run, show],
  )

  const see = useSeen(
    useCallback(
      (code: string) => {
        // Nobody is to be swapped for somebody else under the finger that lets them in.
        if (isPaused || state.current.isBusy || state.current.isAsking) return false
        scan(code)
        return true
      },
      [isPaused, scan],
    ),
  )
  const letIn = useCallback(
    (id: number): void => {
      // In its turn, so that no older verdict takes the place of a newer one.
      if (state.current.isBusy) state.current.next.push(() => letIn(id))
      else void run(() => decideByHand(door, id))
    },
    [door, run],
  )
  const clear = useCallback(() => {
    state.current.isAsking = false
    setShown(null)
  }, [])
  useAutoClear(shown, door.device.mode === 'express', clear)
  return { shown, isBusy, scan, see, letIn, clear }
}

/** Tells each code that comes before the camera once, however long it is held there. `take` says whether it was made use of. */
export function useSeen(take: (code: string) => boolean): (code: string) => void {
  const seen = useRef(new Map<string, number>())
  return useCallback(
    (code) => {
      const now = performance.now()
      for (const [each, at] of seen.current) if (now - at > SAME_CODE_MS) seen.current.delete(each)
      if (seen.current.has(code) || take(code)) seen.current.set(code, now)
    },
    [take],
  )
}

/** In express mode a verdict goes by itself; in confirm mode only that of somebody who came in. */
export function useAutoClear(shown: Shown | null, isExpress: boolean, clear: () => void): void {
  useEffect(() => {
    if (!shown || shown.confirm || (!isExpress && shown.verdict.kind !== 'in')) return
    const { kind, notes } = shown.verdict
    const timer = setTimeout(clear, SHOWN_MS[kind] + Math.min(3, notes.length) * NOTE_MS)
    return () => clearTimeout(timer)
  }, [shown, isExpress, clear])
}
