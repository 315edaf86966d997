import type { Device, QueuedScan, ScanAnswer } from '../../contract/door.ts'
import { isRefusalCode, Refusal, refusalForTicket, refusals } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import * as scans from '../checkins/queries.ts'
import { hashOf } from '../checkins/scan.ts'
import { logRegistration } from '../db/changes.ts'
import type { RegistrationRow, ScanOutcome, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findPurchases } from '../extras/queries.ts'
import { registrationOf } from '../redemptions/queries.ts'
import { redeemUnits } from '../redemptions/redeem-units.ts'
import { findRegistration } from '../registrations/queries.ts'

type Queued = QueuedScan & { act: { kind: 'redeem' } }

/**
 * Redeems what a phone has redeemed: once for each `scanId`, whatever comes how often. What it gave out although it was not there any
 * more is a conflict.
 */
export async function redeemQueued(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  device: Device,
  queued: Queued,
): Promise<ScanAnswer> {
  const { scanId, act } = queued
  const outcome = await db.transaction().execute(async (tx) => {
    const codeHash = hashOf(JSON.stringify(['redeem', act.extrasPurchaseId, act.units]))
    const at = new Date(now().getTime() - queued.agoMs)
    const note = { scanId, eventId: event.id, codeHash, scannedAt: at, receivedAt: now() }
    if (!(await scans.insertScans(tx, [note])).has(scanId)) {
      const [first] = await scans.findScans(tx, [scanId])
      if (first?.eventId !== event.id || first.codeHash !== codeHash || !first.outcome)
        throw new Refusal('INVALID_INPUT')
      // Refused when it was asked, and given out all the same because the answer came late.
      await noteConflict(tx, now(), caller, event, device, queued, first.outcome, at)
      return first.outcome
    }
    const decided = await decide(tx, now(), caller, event, queued)
    await scans.updateScanOutcomes(tx, new Map([[scanId, decided]]))
    await noteConflict(tx, now(), caller, event, device, queued, decided, at)
    return decided
  })
  return answerOf(db, scanId, act.extrasPurchaseId, outcome)
}

async function decide(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { act: { extrasPurchaseId, units } }: Queued,
): Promise<ScanOutcome> {
  const id = await registrationOf(tx, event, extrasPurchaseId)
  const [registration] = id === null ? [] : await scans.lockTickets(tx, [id])
  const outcome = { registrationId: id, checkin: null, eventName: null, purchaseIds: [extrasPurchaseId], units }
  if (!registration) return { ...outcome, code: 'NOT_FOUND' }
  if (event.status === 'cancelled') return { ...outcome, code: 'EVENT_CANCELLED' }
  const invalid = refusalForTicket(registration.status)
  if (invalid) return { ...outcome, code: invalid }
  const { problem } = await redeemUnits(tx, now, caller, registration, extrasPurchaseId, units)
  return problem === null ? { ...outcome, code: null } : { ...outcome, code: 'ALREADY_REDEEMED', text: problem }
}

/** What was given out although it was not there goes on the event's list, once. */
async function noteConflict(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { name }: Device,
  { scanId, act, wasShownIn }: Queued,
  { code, registrationId }: ScanOutcome,
  at: Date,
): Promise<void> {
  if (code === null || !wasShownIn) return
  const purchases = registrationId === null ? [] : await findPurchases(tx, [registrationId])
  const voucher = purchases.find(({ id }) => id === act.extrasPurchaseId)
  const units = act.units.map((unit) => `${unit.count} × ${unit.name}`).join(', ')
  const noted = await scans.insertConflicts(tx, [
    {
      scanId,
      eventId: event.id,
      ticketId: registrationId ?? act.registrationId,
      voucher: voucher ? `${voucher.name}: ${units}` : units,
      code,
      scannedAt: at,
      scannedBy: caller.fullName,
      device: name,
      firstAt: voucher?.scannedAt ?? null,
      firstBy: null,
      firstDevice: null,
      notedAt: now,
    },
  ])
  // A phone may send any number: only of a voucher found in the own event there is something to tell.
  if (noted.length === 0 || registrationId === null) return
  const change = { userId: caller.id, action: 'voucher given out against the list', after: { code } }
  await logRegistration(tx, now, { id: registrationId, clubId: event.clubId }, change)
}

async function answerOf(
  db: Deps['db'],
  scanId: string,
  purchaseId: number,
  { code, text, registrationId }: ScanOutcome,
): Promise<ScanAnswer> {
  const row: RegistrationRow | undefined =
    registrationId === null ? undefined : await findRegistration(db, registrationId)
  const purchases = row ? await findPurchases(db, [row.id]) : []
  return {
    scanId,
    code,
    msg: text ?? (isRefusalCode(code) ? refusals[code].msg : ''),
    registrationId,
    name: row?.name ?? null,
    checkin: null,
    extrasPurchase: purchases.find(({ id }) => id === purchaseId) ?? null,
  }
}
