import type { AdminCaller } from '../access/caller.ts'
import { undo } from '../checkins/save-checkin.ts'
import { logRegistration } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import { lockPayment } from '../payments/payment-queries.ts'
import { queueRefund } from '../payments/refund-queries.ts'
import { HOLD_MS } from '../places/hold.ts'
import { holdAgain } from '../places/place-queries.ts'
import { findCheckin, findCheckins } from '../records/checkin-queries.ts'
import { findConfirmedWithOthers, findFreeOfOrder, findRegistrationsOfOrder } from '../records/order-queries.ts'
import { lockRegistrations } from '../records/registration-queries.ts'

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
  const rows = await lockRegistrations(tx, [registrationId, ...(await findFreeOfOrder(tx, [registrationId]))])
  const registration = rows.find(({ id }) => id === registrationId)
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
    const free = await findWithOthers(tx, registration, rows)
    for (const held of await holdAgain(tx, [registrationId, ...free], new Date(now.getTime() + HOLD_MS)))
      if (held.id !== registrationId)
        await logRegistration(tx, now, held, {
          ...{ userId: caller.id, action: 'payment at the door undone' },
          ...{ before: { status: 'confirmed' }, after: { status: 'pending' } },
        })
  }
  const { status } = registration
  const change = {
    before: { status },
    after: { way, amount, currency, ...(isAdmitted && { status: 'pending' }) },
  }
  await logRegistration(tx, now, registration, { userId: caller.id, action: 'payment at the door undone', ...change })
  return null
}

/** Those of these who have their tickets only because others of the order have paid: nobody else has, and they are not in yet. */
async function findWithOthers(tx: Tx, payer: RegistrationRow, rows: readonly RegistrationRow[]): Promise<number[]> {
  const free = rows.filter(({ id, status }) => id !== payer.id && status === 'confirmed').map(({ id }) => id)
  if (free.length === 0 || payer.orderId === null) return []
  const order = await findRegistrationsOfOrder(tx, payer.orderId)
  if (order.some(({ id, amount, status }) => id !== payer.id && amount > 0 && status === 'confirmed')) return []
  const inside = (await findCheckins(tx, free))
    .filter(({ status }) => status)
    .map(({ registrationId }) => registrationId)
  return (await findConfirmedWithOthers(tx, free)).filter((id) => !inside.includes(id))
}
