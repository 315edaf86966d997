import type { Input, Payload } from '../../contract/endpoint.ts'
import { isRefusalCode, Refusal, type RefusalCode, refusalForTicket } from '../../contract/errors.ts'
import type { redemptionApi } from '../../contract/redemptions.ts'
import { type QrContent, readQr } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/api.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { Message } from '../../texts/language.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../records/event-queries.ts'
import { findRegistration, lockTickets, toRegistration } from '../records/registration-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { isOf } from '../scans/codes.ts'
import { currentCode } from '../scans/moved-codes.ts'
import { decideOneOnce } from '../scans/once.ts'
import { hashOf } from '../tokens.ts'
import { findVoucher } from './queries.ts'
import { notRedeemedText, type Redemption, redeemUnits, type Units } from './redeem-units.ts'

type Scan = Input<typeof redemptionApi.scanByExtrasPurchaseId>['payload']
interface Answer {
  payload: Payload<typeof redemptionApi.scanByExtrasPurchaseId>
  /** The units redeemed, as text; missing when a ticket's vouchers are only listed. */
  msg?: Message
}

/**
 * Redeems a voucher by its code, or of a ticket's vouchers those named; a ticket's code alone only lists them. One scan wins; a
 * scan sent again gets its first answer, also when that was a refusal. Refuses with NOT_FOUND, WRONG_EVENT, TICKET_CANCELLED,
 * TICKET_UNPAID, ALREADY_REDEEMED, INVALID_QR, INVALID_INPUT.
 */
export async function scanVoucher(deps: Deps, caller: AdminCaller, event: OwnEvent, scan: Scan): Promise<Answer> {
  const printed = readQr(scan.qrCodeData)
  if (!printed)
    throw new Refusal('INVALID_QR', { fields: [{ path: 'payload.qrCodeData', msg: refusalTexts.invalidQr }] })
  const content = await currentCode(deps.db, event, printed)
  const { scanId, scannedAt, qrCodeData, units, extrasPurchaseIds } = scan
  const now = deps.now()
  // A repeated scan makes the same request: other units under its id would be another scan.
  const codeHash = hashOf(JSON.stringify(['voucher', qrCodeData, units, extrasPurchaseIds]))
  const row =
    scanId === undefined ? null : { scanId, eventId: event.id, codeHash, scannedAt: scannedAt ?? null, receivedAt: now }
  const outcome = await deps.db
    .transaction()
    .execute((tx) => decideOneOnce(tx, row, () => decide(tx, { now, caller, event, scan, content })))
  return answerFrom(deps, outcome)
}

interface Asked {
  now: Date
  caller: AdminCaller
  event: OwnEvent
  scan: Scan
  content: QrContent
}

async function decide(tx: Tx, { now, caller, event, scan, content }: Asked): Promise<ScanOutcome> {
  const { units: wanted, extrasPurchaseIds } = scan
  const found = await registrationFor(tx, event, content)
  if (!found) return refused('NOT_FOUND')
  const { registration, purchaseId } = found
  if (registration.eventId !== event.id) {
    const other = await findEvent(tx, registration.eventId)
    return { ...refused('WRONG_EVENT', registration.id), eventName: other?.name ?? null }
  }
  if (event.status === 'cancelled') return refused('EVENT_CANCELLED', registration.id)
  const invalid = refusalForTicket(registration.status)
  if (invalid) return refused(invalid, registration.id)
  const own = (await findPurchases(tx, [registration.id])).map(({ id }) => id)
  const chosen = [...new Set(purchaseId === null ? (extrasPurchaseIds ?? []) : [purchaseId])]
  const foreign = chosen.findIndex((id) => !own.includes(id))
  if (foreign !== -1)
    throw new Refusal('INVALID_INPUT', {
      fields: [{ path: `payload.extrasPurchaseIds.${foreign}`, msg: texts.voucherOfOtherTicket }],
    })
  return redeemChosen(tx, now, { caller, event, registration, wanted }, chosen)
}

/** All of them or, where one is used up, none. */
async function redeemChosen(
  tx: Tx,
  now: Date,
  redemption: Omit<Redemption, 'purchaseId'>,
  ids: readonly number[],
): Promise<ScanOutcome> {
  const outcome = { ...refused('ALREADY_REDEEMED', redemption.registration.id), purchaseIds: [...ids] }
  const sorted = [...ids].sort((a, b) => a - b)
  const redeemed: Units = []
  for (const result of await redeemUnits(
    tx,
    now,
    sorted.map((purchaseId) => ({ ...redemption, purchaseId })),
  )) {
    if (result instanceof Refusal) throw result
    const { problem } = result
    if (problem === null) redeemed.push(...result.units)
    // The error also takes back what was redeemed of the others.
    else if (ids.length > 1) throw new Refusal('ALREADY_REDEEMED', { msg: () => notRedeemedText(problem) })
    else return { ...outcome, notRedeemed: problem }
  }
  return { ...outcome, code: null, ...(redeemed.length > 0 && { redeemed }) }
}

async function registrationFor(tx: Tx, event: OwnEvent, content: QrContent) {
  if (content.kind === 'ticket' || content.kind === 'short') {
    const registration = await ownTicket(tx, event, content.id)
    if (registration && isOf(content, registration)) return { registration, purchaseId: null }
    if (content.kind === 'short') return null
  }
  const voucher = await findVoucher(tx, content)
  if (!voucher) return null
  const registration = await ownTicket(tx, event, voucher.registrationId)
  // While it waited for the ticket, that may have been handed on.
  return registration && (await findVoucher(tx, content)) ? { registration, purchaseId: voucher.id } : null
}

/** A ticket of the own club, locked; its event may be another one. */
async function ownTicket(tx: Tx, { clubId }: OwnEvent, id: number): Promise<RegistrationRow | null> {
  const [ticket] = await lockTickets(tx, [id])
  return ticket?.clubId === clubId ? ticket : null
}

async function answerFrom({ db }: Deps, outcome: ScanOutcome): Promise<Answer> {
  const row = outcome.registrationId === null ? undefined : await findRegistration(db, outcome.registrationId)
  const extrasPurchases = row ? await findPurchases(db, [row.id]) : []
  const extrasPurchase = extrasPurchases.find(({ id }) => id === outcome.purchaseIds?.[0]) ?? null
  const { eventName } = outcome
  const done = redeemedText(outcome)
  if (outcome.code === null && row)
    return {
      payload: { registration: toRegistration(row), extrasPurchase, extrasPurchases },
      ...(done && { msg: done }),
    }
  const code: RefusalCode = isRefusalCode(outcome.code) ? outcome.code : 'NOT_FOUND'
  const msg = whyNot(code, outcome)
  const payload = row
    ? { name: row.name, ...(extrasPurchase && { extrasPurchase }), ...(eventName && { eventName }) }
    : undefined
  throw new Refusal(code, { ...(msg && { msg }), ...(payload && { payload }) })
}

function redeemedText({ redeemed, text }: ScanOutcome): Message | null {
  if (redeemed) return () => texts.redeemed({ units: unitsText(redeemed) })
  return text === undefined ? null : () => text
}

function whyNot(code: RefusalCode, { eventName, notRedeemed, text }: ScanOutcome): Message | null {
  if (code === 'WRONG_EVENT') return () => texts.voucherOfOtherEvent({ event: eventName ?? '' })
  if (notRedeemed) return () => notRedeemedText(notRedeemed)
  return text === undefined ? null : () => text
}

const unitsText = (units: Units) => units.map(({ name, count }) => `${count} × ${name}`).join(', ')

function refused(code: RefusalCode, registrationId: number | null = null): ScanOutcome {
  return { code, registrationId, checkin: null, eventName: null }
}
