import { useCallback, useRef } from 'react'
import { notify } from '../../ui/notices/notify.ts'
import { decideByHand, decideCode, preview } from '../phone/decide.ts'
import type { Door } from '../phone/door.ts'
import { unsure, type Verdict } from '../rules/verdict.ts'
import { useSeen, useTurns, type Work } from './use-turns.ts'

/** Scans one after the other. While `isPaused`, the camera's codes are passed over, and what comes late is told without taking the screen. */
export function useScans(door: Door, isPaused: boolean) {
  const { turns, shown, isBusy, show, add, answer, clear } = useTurns(door)
  const paused = useRef(isPaused)
  paused.current = isPaused

  /** A code that is meant now: typed, or by a scanner. */
  const scan = useCallback(
    (code: string): void => {
      const decide: Work = (isMine) => {
        // What comes late is shown only while nobody else has been scanned.
        const showLate = (verdict: Verdict) => {
          if (paused.current) notify('success', `${verdict.name ?? 'The last ticket'}: ${verdict.word.toLowerCase()}`)
          else if (isMine()) show(verdict, performance.now())
        }
        return decideCode(door, code, showLate)
      }
      add(async (isMine) => {
        if (door.device.mode === 'express') return decide(isMine)
        const judgement = await preview(door, code)
        if (judgement?.verdict.kind !== 'in')
          return judgement?.verdict ?? unsure('This phone has no list of the event yet.')
        show({ ...judgement.verdict, word: 'Let in?' }, performance.now(), () => answer(decide))
        return null
      })
    },
    [door, add, answer, show],
  )
  const see = useSeen(
    useCallback(
      (code: string) => {
        if (isPaused || !turns.isFree()) return false
        scan(code)
        return true
      },
      [isPaused, turns, scan],
    ),
  )
  const letIn = useCallback((id: number): void => add(() => decideByHand(door, id)), [door, add])
  return { shown, isBusy, scan, see, letIn, clear }
}
