import type { AdminCaller } from '../access/caller.ts'
import { undo } from '../checkins/save-checkin.ts'
import { logRegistration } from '../db/changes.ts'
import type { Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import { lockPayment } from '../payments/payment-queries.ts'
import { queueRefund } from '../payments/refund-queries.ts'
import { HOLD_MS } from '../places/hold.ts'
import { holdAgain } from '../places/place-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { lockRegistration } from '../records/registration-queries.ts'

/**
 * Undoes a payment at the door: the money counts as handed back, the check-in made with it is undone, and the registration waits for its
 * payment again. Null when that is done; otherwise the refusal's code: somebody has changed it since. The event must be locked.
 */
export async function undoPayment(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registrationId: number,
  { code, checkin: made, paymentId }: ScanOutcome & { paymentId: number },
): Promise<ScanOutcome['code']> {
  const registration = await lockRegistration(tx, registrationId)
  if (!registration) return 'NOT_FOUND'
  const payment = await lockPayment(tx, paymentId)
  const { amount, currency, takenAs: way } = payment
  // With a refused payment nobody was checked in, and the place was gone already.
  const isAdmitted = code === null
  const checkin = isAdmitted ? await findCheckin(tx, registrationId) : undefined
  const isOurs = checkin?.status && checkin.checkinTime?.toISOString() === made?.checkinTime
  // If staff found them a place since, the money is for that.
  const isChanged = isAdmitted ? !isOurs || registration.status !== 'confirmed' : registration.status === 'confirmed'
  if (isChanged || payment.refunded > 0) return 'ILLEGAL_TRANSITION'
  await queueRefund(tx, payment, { amount, reason: 'taken back' }, now)
  if (isAdmitted) {
    await undo(tx, now, caller, registration)
    await holdAgain(tx, [registrationId], new Date(now.getTime() + HOLD_MS))
  }
  const { status } = registration
  const change = {
    before: { status },
    after: { way, amount, currency, ...(isAdmitted && { status: 'pending' }) },
  }
  await logRegistration(tx, now, registration, { userId: caller.id, action: 'payment at the door undone', ...change })
  return null
}
