import type { Device, QueuedScan, ScanAnswer } from '../../contract/door.ts'
import { isRefusalCode, isRefused, Refusal, refusals } from '../../contract/errors.ts'
import { readQr, scannedText } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/passes.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Decided, Scan } from '../checkins/decide-scans.ts'
import { type Decide, refusalOf } from '../checkins/scan.ts'
import type { Deps } from '../deps.ts'
import { limitCodes } from '../limits/limit-codes.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { checkinOf, PASS_ENDED } from '../scans/outcome.ts'
import { hashOf } from '../tokens.ts'
import { addQueued } from './add-queued.ts'
import { isAfterEnd, mayDo } from './may-do.ts'
import { payQueued } from './pay-queued.ts'
import type { RedeemQueued, UnformattedAnswer } from './redeem-queued.ts'
import { undoScan } from './undo-scan.ts'

/** What decides scans together with those of other calls. */
interface Deciders {
  decide: Decide
  redeem: RedeemQueued
}

interface Batch {
  device: Device
  scans: readonly QueuedScan[]
  /** In which the answers are. */
  language: Language
}

/**
 * Applies a phone's scans in their order: each is decided like any other, so that it counts once however often it is sent. A scan that the
 * phone let in but that is refused becomes a conflict.
 */
export async function syncScans(
  deps: Deps,
  { decide, redeem }: Deciders,
  caller: AdminCaller,
  event: OwnEvent,
  { device, scans, language }: Batch,
): Promise<ScanAnswer[]> {
  const decideOne = async (queued: QueuedScan): Promise<UnformattedAnswer> => {
    try {
      const { act, agoMs } = queued
      // Not decided for good: the phone keeps it for somebody who may do it.
      if (!mayDo(caller, act)) throw new Refusal('NOT_ALLOWED')
      if (act.kind === 'undo' && isAfterEnd(caller, new Date(deps.now().getTime() - agoMs)))
        return { ...nothing, scanId: queued.scanId, ...passHadEnded }
      if (act.kind === 'redeem') return await redeem({ caller, event, device, queued: { ...queued, act } })
      if (act.kind === 'pay')
        return toAnswer(event, queued.scanId, await payQueued(deps, caller, event, device, { ...queued, act }))
      if (act.kind === 'walk-in')
        return toAnswer(event, queued.scanId, await addQueued(deps, caller, event, device, { ...queued, act }))
      const decided =
        act.kind === 'undo'
          ? await undoScan(deps, caller, event, queued.scanId, act.scanId)
          : await decideLimited(deps, decide, toScan(deps, caller, event, device, { ...queued, act }), act)
      const [purchaseId] = decided.outcome.purchaseIds ?? []
      const purchases = decided.ticket && purchaseId ? await findPurchases(deps.db, [decided.ticket.id]) : []
      const extrasPurchase = purchases.find(({ id }) => id === purchaseId) ?? null
      return { ...toAnswer(event, queued.scanId, decided), extrasPurchase }
    } catch (error) {
      // A refused scan gets its own answer and does not hold up the others. A failure may be temporary: the phone has to send it again.
      if (!isRefused(error)) throw error
      return { ...nothing, scanId: queued.scanId, ...why(error) }
    }
  }
  const answered = new Map<QueuedScan, ScanAnswer>()
  for (const round of rounds(scans))
    await Promise.all(
      round.map(async (queued) => {
        const answer = await decideOne(queued)
        answered.set(queued, { ...answer, msg: inLanguage(language, answer.msg) })
      }),
    )
  const answers = scans.flatMap((queued) => answered.get(queued) ?? [])
  // Whoever may only send what was done before is told nothing about anybody.
  return caller.pass?.hasEnded ? answers.map((answer) => withoutNames(answer, language)) : answers
}

type TicketAct = Extract<QueuedScan['act'], { kind: 'code' | 'hand' }>

/** Typed short codes are limited as by `scanByRegistrationId`. A scan that a phone has shown as valid is accepted whatever the limit. */
function decideLimited(deps: Deps, decide: Decide, scan: Scan, act: TicketAct): Promise<Decided> {
  if (act.kind === 'hand' || scan.wasShownIn) return decide(scan)
  return limitCodes(deps, scan.caller, act.qrCodeData, async () => {
    const decided = await decide(scan)
    const refusal = decided.outcome.code === PASS_ENDED ? null : refusalOf(scan.event, decided)
    if (refusal?.code === 'NOT_FOUND') throw refusal
    return decided
  })
}

const passHadEnded = { code: PASS_ENDED, msg: texts.passHadEnded }
const nothing = { registrationId: null, name: null, checkin: null, extrasPurchase: null }

function withoutNames(answer: ScanAnswer, language: Language): ScanAnswer {
  const { code } = answer
  return { ...answer, ...nothing, ...(isRefusalCode(code) && { msg: inLanguage(language, refusals[code].msg) }) }
}

/** The kinds that are decided on their own. Whoever of an order has nothing to pay is valid with its payment, which may come just before. */
const alone: readonly QueuedScan['act']['kind'][] = ['undo', 'pay', 'walk-in']

/**
 * The scans in portions that can be decided at the same time: one of the same ticket or voucher comes in a later portion than those before it,
 * and some kinds are on their own.
 */
function rounds(scans: readonly QueuedScan[]): QueuedScan[][] {
  const portions: QueuedScan[][] = []
  // After the last scan on its own.
  let first = 0
  let next = new Map<string, number>()
  for (const scan of scans) {
    const { act, scanId } = scan
    if (alone.includes(act.kind)) {
      first = portions.push([scan])
      next = new Map()
      continue
    }
    const keys = [scanId, ticketKey(act, scanId)]
    const at = Math.max(first, ...keys.map((key) => next.get(key) ?? 0))
    const portion = portions[at]
    if (portion) portion.push(scan)
    else portions.push([scan])
    for (const key of keys) next.set(key, at + 1)
  }
  return portions
}

function ticketKey(act: QueuedScan['act'], scanId: string): string {
  if (act.kind === 'undo' || act.kind === 'pay' || act.kind === 'walk-in') return scanId
  if (act.kind === 'redeem') return `voucher ${act.extrasPurchaseId}`
  if (act.kind === 'hand') return `ticket ${act.registrationId}`
  return `ticket ${readQr(act.qrCodeData)?.id ?? act.qrCodeData}`
}

function toScan(
  { now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { name }: Device,
  { scanId, act, agoMs, wasShownIn }: QueuedScan & { act: TicketAct },
): Scan {
  const isExit = act.direction === 'out'
  const text = act.kind === 'code' ? act.qrCodeData : `by hand ${act.registrationId}`
  const code = act.kind === 'hand' ? { kind: 'hand' as const, id: act.registrationId } : readQr(text)
  if (!code) throw new Refusal('INVALID_QR')
  const at = new Date(now().getTime() - agoMs)
  const codeHash = (act.kind === 'hand' ? act.codeHash : undefined) ?? hashOf(scannedText(text, act.direction))
  return {
    event,
    caller,
    code,
    codeHash,
    scanId,
    scannedAt: at,
    at,
    device: name,
    wasShownIn,
    isExit,
    isAfterEnd: isAfterEnd(caller, at),
  }
}

function toAnswer(event: OwnEvent, scanId: string, decided: Decided): UnformattedAnswer {
  const refusal = refusalOf(event, decided)
  const problem = decided.outcome.code === PASS_ENDED ? passHadEnded : refusal && why(refusal)
  return {
    scanId,
    ...(problem ?? { code: null, msg: () => '' }),
    registrationId: decided.outcome.registrationId,
    name: decided.ticket?.name ?? null,
    checkin: checkinOf(decided.outcome),
    extrasPurchase: null,
  }
}

function why(refusal: Refusal) {
  const { code, fields } = refusal
  return { code, msg: fields[0]?.msg ?? (() => refusal.message) }
}
