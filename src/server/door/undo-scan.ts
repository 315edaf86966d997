import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { cancelByStaff } from '../attendees/change-status.ts'
import type { Decided } from '../checkins/decide-scans.ts'
import { takeMovementBack, undo } from '../checkins/save-checkin.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { runStatement } from '../db/statement.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findFreeOfOrder } from '../records/order-queries.ts'
import { findOwnRegistrations } from '../records/registration-queries.ts'
import { takeUnitsBack } from '../redemptions/redeem-units.ts'
import { seeConflicts } from '../scans/conflicts.ts'
import { decideOneOnce } from '../scans/once.ts'
import { PASS_ENDED, toOutcomeCheckin } from '../scans/outcome.ts'
import { lockScan, mayReleasePlaces, outcomesUpdate, updateConflictTakenBack } from '../scans/queries.ts'
import { hashOf } from '../tokens.ts'
import { undoPayment } from './undo-payment.ts'

/**
 * Undoes what one scan made: a check-in, a movement, a redemption, a payment, or a registration, which is cancelled. ILLEGAL_TRANSITION when
 * somebody has changed that since. A conflict that it caused is marked as looked at. A repeated undo gets its first answer.
 */
export async function undoScan(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  scanId: string,
  undone: string,
): Promise<Decided> {
  return db.transaction().execute(async (tx) => {
    // What releases places is undone with the event locked, whose row comes first everywhere.
    if (await mayReleasePlaces(tx, event.id, undone)) await lockEvent(tx, event.id)
    const scan = await lockScan(tx, event.id, undone)
    const id = scan?.outcome?.registrationId ?? null
    // With a payment, those who have their tickets because of it are locked too, in the order of their ids as everywhere.
    const isPayment = scan?.outcome?.paymentId !== undefined
    const ids = id === null ? [] : [id, ...(isPayment ? await findFreeOfOrder(tx, [id]) : [])]
    const ticket = (await findOwnRegistrations(tx, event, ids)).find((row) => row.id === id) ?? null
    const row = { scanId, eventId: event.id, codeHash: hashOf(`undo ${undone}`), scannedAt: null, receivedAt: now() }
    const outcome = await decideOneOnce(tx, row, async () => {
      const made = scan?.outcome ?? null
      // What had arrived before a pass ended is not taken back any more: the time of an undo is what the phone says.
      if (caller.pass?.hasEnded && scan && scan.receivedAt < caller.pass.endsAt)
        return { code: PASS_ENDED, registrationId: null, checkin: null, eventName: null }
      const code = made ? await takeBack(tx, now(), caller, ticket, made) : 'NOT_FOUND'
      if (made && code === null) {
        await runStatement(tx, outcomesUpdate(new Map([[undone, { ...made, isUndone: true }]])))
        await updateConflictTakenBack(tx, event.id, undone, caller.fullName, now())
      } else await seeConflicts(tx, now(), event, caller, [undone])
      const checkin = ticket ? toOutcomeCheckin(await findCheckin(tx, ticket.id)) : null
      const { purchaseIds } = made ?? {}
      return { code, registrationId: ticket?.id ?? null, checkin, eventName: null, ...(purchaseIds && { purchaseIds }) }
    })
    return { outcome, ticket: outcome.registrationId === null ? null : ticket }
  })
}

/** Null when the check-in or the redemption of that scan is undone, or when there was none; else the refusal's code. */
async function takeBack(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  ticket: RegistrationRow | null,
  outcome: ScanOutcome,
): Promise<ScanOutcome['code']> {
  const { code, checkin: made, purchaseIds, units, isUndone, paymentId, isAdded, moved } = outcome
  if (isUndone) return 'ILLEGAL_TRANSITION'
  if (!ticket) return code === null ? 'NOT_FOUND' : null
  if (paymentId !== undefined) return undoPayment(tx, now, caller, ticket.id, { ...outcome, paymentId })
  if (code !== null) return null
  const [purchaseId] = purchaseIds ?? []
  if (purchaseId !== undefined && units)
    return (await takeUnitsBack(tx, now, { caller, registration: ticket, purchaseId, wanted: units }))
      ? null
      : 'ILLEGAL_TRANSITION'
  if (moved) return (await takeMovementBack(tx, now, caller, ticket, moved)) ? null : 'ILLEGAL_TRANSITION'
  const checkin = await findCheckin(tx, ticket.id)
  const isOurs = checkin?.status && made && checkin.checkinTime?.toISOString() === made.checkinTime
  if (!isOurs) return 'ILLEGAL_TRANSITION'
  await undo(tx, now, caller, ticket)
  // Added by mistake, or to somebody who went away again.
  if (isAdded && ticket.status === 'confirmed') await cancelByStaff(tx, now, caller, [ticket])
  return null
}
