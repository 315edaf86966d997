import { useCallback, useEffect, useRef, useState } from 'react'
import type { Door } from '../phone/door.ts'
import { makeTurns } from '../rules/turns.ts'
import { unsure, type Verdict } from '../rules/verdict.ts'
import { signal } from './feedback.ts'

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

/** Comes to a verdict, or to none yet; `isMine` says whether nothing else has been begun since. */
export type Work = (isMine: () => boolean) => Promise<Verdict | null>

/** The turns of a scanner, with what they show. */
export function useTurns(door: Door) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [turns] = useState(makeTurns)
  useEffect(() => turns.stop, [turns])

  const show = useCallback(
    (verdict: Verdict, readAt: number, confirm: Shown['confirm'] = null) => {
      turns.show(confirm ? 'ask' : verdict.kind)
      setShown({ verdict, readAt, confirm })
      if (!confirm) signal(verdict.kind, door.device.sound)
    },
    [door, turns],
  )
  const turn = useCallback(
    (work: Work) => async (): Promise<void> => {
      const readAt = performance.now()
      setBusy(true)
      setShown(null)
      const verdict = await work(turns.stillMine()).catch(() =>
        unsure('Something went wrong on this phone. Please try again.'),
      )
      setBusy(false)
      if (verdict) show(verdict, readAt)
    },
    [turns, show],
  )
  /** In its turn. */
  const add = useCallback((work: Work) => turns.add(turn(work)), [turns, turn])
  /** At once: what is asked is answered. */
  const answer = useCallback((work: Work) => turns.answer(turn(work)), [turns, turn])
  const clear = useCallback(() => {
    turns.show(null)
    setShown(null)
  }, [turns])
  useAutoClear(shown, door.device.mode === 'express', clear)
  return { turns, shown, isBusy, show, add, answer, clear }
}

/** In express mode a verdict goes by itself; in confirm mode only that of somebody who came in. */
function useAutoClear(shown: Shown | null, isExpress: boolean, clear: () => void): void {
  useEffect(() => {
    if (!shown || shown.confirm || (!isExpress && shown.verdict.kind !== 'in')) return
    const { kind, notes } = shown.verdict
    const timer = setTimeout(clear, SHOWN_MS[kind] + Math.min(3, notes.length) * NOTE_MS)
    return () => clearTimeout(timer)
  }, [shown, isExpress, clear])
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
