import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { type Decided, onWire } from '../checkins/decide-scans.ts'
import * as scans from '../checkins/queries.ts'
import { undo } from '../checkins/save-checkin.ts'
import { hashOf } from '../checkins/scan.ts'
import type { RegistrationRow, ScanOutcome, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { takeUnitsBack } from '../redemptions/redeem-units.ts'
import { findOwnRegistration } from '../registrations/queries.ts'

/**
 * Takes one scan back: the check-in that it made, unless somebody has changed that since (ILLEGAL_TRANSITION), or the conflict
 * that it caused, which nobody needs to look into any more. An undo sent again gets its first answer.
 */
export async function undoScan(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  scanId: string,
  undone: string,
): Promise<Decided> {
  return db.transaction().execute(async (tx) => {
    const codeHash = hashOf(`undo ${undone}`)
    const note = { scanId, eventId: event.id, codeHash, scannedAt: null, receivedAt: now() }
    const isFirst = (await scans.insertScans(tx, [note])).has(scanId)
    const scan = await scans.lockScan(tx, event.id, isFirst ? undone : scanId)
    const id = scan?.outcome?.registrationId ?? null
    const ticket = id === null ? null : ((await findOwnRegistration(tx, event, id)) ?? null)
    if (!isFirst) {
      if (scan?.codeHash !== codeHash || !scan.outcome) throw new Refusal('INVALID_INPUT')
      return { outcome: scan.outcome, ticket }
    }
    const made = scan?.outcome ?? null
    const code = made && ticket ? await takeBack(tx, now(), caller, ticket, made) : 'NOT_FOUND'
    await scans.seeConflicts(tx, event.id, [undone], caller.fullName, now())
    const checkin = ticket ? onWire(await scans.findCheckin(tx, ticket.id)) : null
    const { purchaseIds } = made ?? {}
    const about = { registrationId: ticket?.id ?? null, checkin, eventName: null, ...(purchaseIds && { purchaseIds }) }
    const outcome = { code, ...about }
    const outcomes = new Map<string, ScanOutcome>([[scanId, outcome]])
    if (made && code === null) outcomes.set(undone, { ...made, isUndone: true })
    await scans.updateScanOutcomes(tx, outcomes)
    return { outcome, ticket }
  })
}

/** Null when the check-in or the redemption of that scan is undone, or when there was none. */
async function takeBack(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  ticket: RegistrationRow,
  { code, checkin: made, purchaseIds, units, isUndone }: ScanOutcome,
): Promise<ScanOutcome['code']> {
  if (isUndone) return 'ILLEGAL_TRANSITION'
  if (code !== null) return null
  const [purchaseId] = purchaseIds ?? []
  if (purchaseId !== undefined && units)
    return (await takeUnitsBack(tx, now, caller, ticket, purchaseId, units)) ? null : 'ILLEGAL_TRANSITION'
  const checkin = await scans.findCheckin(tx, ticket.id)
  const isOurs = checkin?.status && made && checkin.checkinTime?.toISOString() === made.checkinTime
  if (!isOurs) return 'ILLEGAL_TRANSITION'
  await undo(tx, now, caller, ticket)
  return null
}
