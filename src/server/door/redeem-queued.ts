import type { Device, QueuedScan, ScanAnswer } from '../../contract/door.ts'
import { isRefusalCode, refusalForTicket, refusals } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/passes.ts'
import type { Message } from '../../texts/language.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { findRegistration, lockTickets } from '../records/registration-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { registrationOf } from '../redemptions/queries.ts'
import { notRedeemedText, redeemUnits } from '../redemptions/redeem-units.ts'
import { storeConflicts } from '../scans/conflicts.ts'
import { decideOneOnce } from '../scans/once.ts'
import { PASS_ENDED } from '../scans/outcome.ts'
import { hashOf } from '../tokens.ts'
import { isAfterEnd } from './may-do.ts'

/** An answer whose message is not formatted yet. */
export type UnformattedAnswer = Omit<ScanAnswer, 'msg'> & { msg: Message }

type Queued = QueuedScan & { act: { kind: 'redeem' } }

/**
 * Stores a phone's redemption, once for each `scanId`, however often it is sent. What the phone gave out although the server refuses it is
 * a conflict.
 */
export async function redeemQueued(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  device: Device,
  queued: Queued,
): Promise<UnformattedAnswer> {
  const { scanId, act } = queued
  const outcome = await db.transaction().execute(async (tx) => {
    const codeHash = hashOf(JSON.stringify(['redeem', act.extrasPurchaseId, act.units]))
    const at = new Date(now().getTime() - queued.agoMs)
    const row = { scanId, eventId: event.id, codeHash, scannedAt: at, receivedAt: now() }
    const decided = await decideOneOnce(tx, row, () => decide(tx, now(), caller, event, queued))
    // Also for a repeated scan: refused when the server was asked, it was given out because the answer came too late.
    if (decided.code !== null && queued.wasShownIn)
      await storeConflicts(tx, now(), [
        { event, caller, scanId, code: decided.code, at, device: device.name, ...(await describe(tx, act, decided)) },
      ])
    return decided
  })
  return answerOf(db, scanId, act.extrasPurchaseId, outcome)
}

async function decide(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { act, agoMs }: Queued,
): Promise<ScanOutcome> {
  const { extrasPurchaseId, units } = act
  const id = await registrationOf(tx, event, extrasPurchaseId)
  const [registration] = id === null ? [] : await lockTickets(tx, [id])
  const outcome = { registrationId: id, checkin: null, eventName: null, purchaseIds: [extrasPurchaseId], units }
  if (!registration) return { ...outcome, code: 'NOT_FOUND' }
  if (isAfterEnd(caller, new Date(now.getTime() - agoMs))) return { ...outcome, code: PASS_ENDED }
  if (event.status === 'cancelled') return { ...outcome, code: 'EVENT_CANCELLED' }
  const invalid = refusalForTicket(registration.status)
  if (invalid) return { ...outcome, code: invalid }
  const { problem } = await redeemUnits(tx, {
    now,
    caller,
    registration,
    purchaseId: extrasPurchaseId,
    wanted: units,
  })
  return problem === null ? { ...outcome, code: null } : { ...outcome, code: 'ALREADY_REDEEMED', notRedeemed: problem }
}

/** The voucher part of a conflict: the registration, what was given out, and the last redemption. */
async function describe(
  tx: Tx,
  { registrationId, extrasPurchaseId, units }: Queued['act'],
  { registrationId: found }: ScanOutcome,
) {
  const purchases = found === null ? [] : await findPurchases(tx, [found])
  const voucher = purchases.find(({ id }) => id === extrasPurchaseId)
  const contents = units.map(({ count, name }) => `${count} × ${name}`).join(', ')
  return {
    ticketId: found ?? registrationId,
    registrationId: found,
    voucher: voucher ? `${voucher.name}: ${contents}` : contents,
    first: voucher?.scannedAt ? { at: voucher.scannedAt, by: null, device: null } : null,
  }
}

async function answerOf(
  db: Deps['db'],
  scanId: string,
  purchaseId: number,
  { code, notRedeemed, text, registrationId }: ScanOutcome,
): Promise<UnformattedAnswer> {
  const row: RegistrationRow | undefined =
    registrationId === null ? undefined : await findRegistration(db, registrationId)
  const purchases = row ? await findPurchases(db, [row.id]) : []
  return {
    scanId,
    code,
    msg: () => {
      if (code === PASS_ENDED) return texts.passHadEnded()
      if (notRedeemed) return notRedeemedText(notRedeemed)
      return text ?? (isRefusalCode(code) ? refusals[code].msg() : '')
    },
    registrationId,
    name: row?.name ?? null,
    checkin: null,
    extrasPurchase: purchases.find(({ id }) => id === purchaseId) ?? null,
  }
}
