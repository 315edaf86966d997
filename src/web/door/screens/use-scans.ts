import { useCallback, useRef } from 'react'
import * as texts from '../../../texts/generated/door.ts'
import * as exitTexts from '../../../texts/generated/exits.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { may } from '../../session/may.ts'
import { useSession } from '../../session/session.ts'
import { notify } from '../../ui/notices/notify.ts'
import { takeMoney, takeMoneyOfAll } from '../money/take-money.ts'
import { decideByHand, decideCode, preview } from '../phone/decide.ts'
import type { Door } from '../phone/door.ts'
import { judgeTicket } from '../rules/judge.ts'
import { othersOfOrder, verdictOfAll } from '../rules/order.ts'
import { unsure, type Verdict, verdictOf } from '../rules/verdict.ts'
import { type AllWork, type Turn, useScanQueue } from './use-scan-queue.ts'

/** The scans of tickets. While `isPaused`, a late answer is a notification and does not take the screen. */
export function useScans(door: Door, isPaused: boolean) {
  const paused = useRef(isPaused)
  paused.current = isPaused

  const user = useSession()?.user
  const mayTakeMoney = may(user, 'take-money') && may(user, 'tickets')
  /** Offers to take the money for an unpaid ticket; any other verdict is shown as it is. */
  const withMoney = useCallback(
    (verdict: Verdict, { askForMoney }: Turn): Verdict | null => {
      if (!mayTakeMoney || !verdict.toTake || door.direction === 'out') return verdict
      askForMoney(verdict, (way) => () => takeMoney(door, verdict, way), allUnpaid(door, verdict))
      return null
    },
    [door, mayTakeMoney],
  )
  const decide = useCallback(
    async (code: string, turn: Turn): Promise<Verdict | null> => {
      const letIn = ({ isLatest, show }: Turn) =>
        decideCode(door, code, (late) => {
          if (paused.current) notify('success', lateText(late))
          else if (isLatest()) show(late)
        })
      if (door.device.mode === 'express') return withMoney(await letIn(turn), turn)
      const judgement = await preview(door, code)
      if (!judgement) return unsure(texts.noListYet())
      if (judgement.verdict.kind !== 'in') return withMoney(judgement.verdict, turn)
      const word = door.direction === 'out' ? exitTexts.letOutAsk() : texts.letInAsk()
      turn.ask({ ...judgement.verdict, word }, async (next) => withMoney(await letIn(next), next))
      return null
    },
    [door, withMoney],
  )
  const { add, shown, isBusy, scan, see, clear } = useScanQueue(door, isPaused, decide, {
    canPick: may(user, 'search'),
  })
  const letIn = useCallback(
    (id: number): void => add(async (turn) => withMoney(await decideByHand(door, id), turn)),
    [door, add, withMoney],
  )
  const letAllIn = useCallback(
    (ids: readonly number[]): void =>
      add(async () => {
        const verdicts: Verdict[] = []
        for (const id of ids) verdicts.push(await decideByHand(door, id))
        return verdictOfAll(verdicts)
      }),
    [door, add],
  )
  /** Shows that this phone has added somebody by itself. */
  const showAdded = useCallback(
    (name: string): void =>
      add(async () => ({
        ...verdictOf({ code: null, ticketId: null, name }),
        word: walkInTexts.addedWord(),
        detail: walkInTexts.addedHere(),
      })),
    [add],
  )
  return { shown, isBusy, scan, see, letIn, letAllIn, showAdded, clear }
}

/** The others of an unpaid ticket's order who are not paid either, to be paid with it; undefined where there are none. */
function allUnpaid(door: Door, verdict: Verdict): AllWork | undefined {
  const { list, localCheckins } = door
  const { ticketId, toTake } = verdict
  if (!list || ticketId === null || !toTake) return undefined
  const others = othersOfOrder(list, localCheckins, ticketId)
    .map((ticket) => judgeTicket(ticket, list).verdict)
    .filter((other) => other.toTake !== undefined)
  if (others.length === 0) return undefined
  const all = [verdict, ...others]
  const amount = all.reduce((sum, each) => sum + (each.toTake?.amount ?? 0), 0)
  const { currency } = toTake
  return { people: all.length, amount, currency, work: (way) => () => takeMoneyOfAll(door, all, way) }
}

/** The verdict on an earlier scan whose answer came after the next scan had started. */
function lateText({ name, word }: Verdict): string {
  return name === null ? texts.lateVerdictLast({ verdict: word }) : texts.lateVerdict({ name, verdict: word })
}
