import { useCallback, useEffect, useRef, useState } from 'react'
import type { DoorTicket } from '../../../contract/door.ts'
import type { DoorWay } from '../../../contract/door-money.ts'
import * as texts from '../../../texts/generated/door.ts'
import type { Door, ScannedBy } from '../phone/door.ts'
import { endPractice, practise } from '../practice/practice-mode.ts'
import { othersOfOrder } from '../rules/order.ts'
import { makeTurns } from '../rules/turns.ts'
import { unsure, type Verdict } from '../rules/verdict.ts'
import { giveFeedback } from './feedback.ts'

/** The content of the verdict screen: a verdict, or (with `confirm`) somebody who is let in only when staff confirm. */
export interface Shown {
  verdict: Verdict
  /** When the code was read, by `performance.now()`. */
  readAt: number
  confirm: (() => void) | null
  /** Takes the money for an unpaid ticket; left out where nobody here may, or nothing is to pay. */
  pay?: ((way: DoorWay) => void) | undefined
  /** Takes the money for all of the ticket's order that is not paid; left out where there is nobody else. */
  payAll?: PayAll | undefined
  /** The others of the ticket's order who are not in yet. */
  others: readonly DoorTicket[]
}

/** Several of an order who are not paid. */
interface PayAll {
  people: number
  /** Minor unit. */
  amount: number
  currency: string
  pay: (way: DoorWay) => void
}

/** One scan's turn. */
export interface Turn {
  /** Whether no other turn has begun since. */
  isLatest: () => boolean
  /** Shows a verdict that came after the turn's own. */
  show: (verdict: Verdict) => void
  /** Shows a verdict that is to be confirmed; then `work` has the next turn, before those that wait. */
  ask: (verdict: Verdict, work: Work) => void
  /** Shows an unpaid ticket whose money may be taken, alone or with all of its order; then `work` has the next turn. */
  askForMoney: (verdict: Verdict, work: (way: DoorWay) => Work, all?: AllWork) => void
  /** Lets no other turn begin until the screen is cleared. */
  hold: () => void
}

/** What is to be done for all of an order who are not paid. */
export type AllWork = Omit<PayAll, 'pay'> & { work: (way: DoorWay) => Work }

/** Returns a verdict, or null if there is none yet. */
export type Work = (turn: Turn) => Promise<Verdict | null>

/** The camera sees the same code in many frames; within this time after it was last seen, in ms, they count as one scan. */
const SAME_CODE_MS = 3_000
/** How long a verdict is shown, in ms, when the next scan does not come first. */
const SHOWN_MS = { in: 1_200, already: 3_000, refused: 3_000, unsure: 4_000 } as const
/** The extra time for each note, in ms, so that it can be read. */
const NOTE_MS = 1_000

/**
 * The queue that both scanners use: one scan at a time, each with its verdict on the screen. `decide` decides a code, but for practice
 * codes, and while practice is on. While `isPaused`, the camera's codes are ignored.
 */
export function useScanQueue(
  door: Door,
  isPaused: boolean,
  decide: (code: string, turn: Turn) => Promise<Verdict | null>,
  { variant = 'main', canPick = false }: { variant?: 'main' | 'voucher'; canPick?: boolean } = {},
) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [turns] = useState(makeTurns)
  useEffect(() => turns.stop, [turns])

  const show = useCallback(
    (verdict: Verdict, readAt: number, { confirm = null, pay, payAll }: Partial<Shown> = {}) => {
      turns.show(confirm || pay ? 'ask' : verdict.kind)
      const { list, localCheckins } = door
      const { ticketId } = verdict
      const hasOthers = canPick && list && ticketId !== null && !confirm && !pay && door.direction === 'in'
      const others = hasOthers ? othersOfOrder(list, localCheckins, ticketId) : []
      setShown({ verdict, readAt, confirm, pay, payAll, others })
      if (!confirm) giveFeedback(verdict.kind, door.device.sound)
    },
    [door, turns, canPick],
  )
  const run = useCallback(
    (work: Work) => async (): Promise<void> => {
      const readAt = performance.now()
      setBusy(true)
      setShown(null)
      const turn: Turn = {
        isLatest: turns.makeIsLatest(),
        show: (verdict) => show(verdict, performance.now()),
        ask: (verdict, next) => show(verdict, performance.now(), { confirm: () => turns.runNow(run(next)) }),
        askForMoney: (verdict, next, all) => {
          const payAll = all && { ...all, pay: (way: DoorWay) => turns.runNow(run(all.work(way))) }
          show(verdict, performance.now(), { pay: (way) => turns.runNow(run(next(way))), payAll })
        },
        hold: () => turns.show('ask'),
      }
      const verdict = await work(turn).catch(() => unsure(texts.phoneProblem()))
      setBusy(false)
      if (verdict) show(verdict, readAt)
    },
    [turns, show],
  )
  /** Runs the work when its turn has come. */
  const add = useCallback((work: Work) => turns.add(run(work)), [turns, run])
  /** Runs the work at once, as the answer to the question on the screen. */
  const runNow = useCallback((work: Work) => turns.runNow(run(work)), [turns, run])
  const clear = useCallback(() => {
    turns.show(null)
    setShown(null)
  }, [turns])
  useAutoClear(shown, door.device.mode === 'express', clear)

  /** Takes a code that was typed, or read by a scanner. */
  const scan = useCallback(
    (code: string, by: ScannedBy): void => {
      // Asked as soon as the code is read: one that waits behind the question was read during practice too.
      const answer = practise(door, code, variant)
      add(async (turn) => {
        const decideNow = (own: Turn) => {
          door.scanTimes.push({ at: performance.now(), by })
          return decide(code, own)
        }
        if (!answer) return decideNow(turn)
        const { verdict, isReal } = answer
        if (isReal) {
          // Practice may have been forgotten: one tap ends it and decides this code.
          giveFeedback(verdict.kind, door.device.sound)
          turn.ask(verdict, (next) => {
            endPractice(door)
            return decideNow(next)
          })
          return null
        }
        if (variant === 'voucher' || door.device.mode === 'express' || verdict.kind !== 'in') return verdict
        turn.ask({ ...verdict, word: texts.letInAsk() }, async () => verdict)
        return null
      })
    },
    [door, variant, add, decide],
  )
  /** Takes a code that the camera sees, if it is new and could run at once. */
  const see = useOncePerCode(
    useCallback(
      (code: string) => {
        if (isPaused || !turns.isFree()) return false
        scan(code, 'camera')
        return true
      },
      [isPaused, turns, scan],
    ),
  )
  return { shown, isBusy, scan, see, add, runNow, clear }
}

/**
 * In express mode a verdict is cleared automatically; in confirm mode only when somebody was let in. It stays while others of the order can be
 * let in from it.
 */
function useAutoClear(shown: Shown | null, isExpress: boolean, clear: () => void): void {
  useEffect(() => {
    if (!shown || shown.confirm || shown.pay || shown.others.length > 0 || (!isExpress && shown.verdict.kind !== 'in'))
      return
    const { kind, notes } = shown.verdict
    const timer = setTimeout(clear, SHOWN_MS[kind] + Math.min(3, notes.length) * NOTE_MS)
    return () => clearTimeout(timer)
  }, [shown, isExpress, clear])
}

/** Passes on each code that the camera sees once, however long it is held there. `take` returns whether it has used the code. */
function useOncePerCode(take: (code: string) => boolean): (code: string) => void {
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
