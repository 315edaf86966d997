import { readPracticeCode } from '../../../contract/values/practice-codes.ts'
import { type Door, setPractice } from '../phone/door.ts'
import type { Verdict } from '../rules/verdict.ts'
import { practiceIsOn, thisIsPractice, verdictOfPractice } from './practice-verdicts.ts'
import { notePractised } from './practised.ts'

/** Practice ends by itself after this time, in ms, so that nobody is left in it when the door opens. */
const PRACTICE_MS = 15 * 60_000

/** Starts practice on this phone. A reload ends it too: it is stored nowhere. */
export function startPractice(door: Door): void {
  setPractice(door, { clock: Date.now() + PRACTICE_MS, running: performance.now() + PRACTICE_MS })
}

export function endPractice(door: Door): void {
  setPractice(door, null)
}

/** Whether practice is on. It is over as soon as one of the phone's two clocks says so: one may be set, the other stops while it sleeps. */
export function isPractising({ practice }: Pick<Door, 'practice'>): boolean {
  return practice !== null && Date.now() < practice.clock && performance.now() < practice.running
}

/** What practice answers to a code; null where the code is judged as ever. */
export interface PracticeAnswer {
  verdict: Verdict
  /** Whether this is no practice code, so that practice may have been forgotten. */
  isReal: boolean
}

/** Answers a code while practice is on, and a practice code at any time. Nothing of this is sent or stored as a scan. */
export function practise(door: Door, code: string, variant: 'main' | 'voucher'): PracticeAnswer | null {
  const kind = readPracticeCode(code)
  if (kind === null) return door.practice === null ? null : { verdict: practiceIsOn(), isReal: true }
  // When its time is over, the banner may still say for a moment that nobody is let in.
  if (!isPractising(door)) return { verdict: thisIsPractice(), isReal: false }
  notePractised(door.eventId, kind)
  // Shows the page what has been practised.
  setPractice(door, door.practice)
  return { verdict: verdictOfPractice(kind, variant, door), isReal: false }
}
