import { logRegistration } from '../db/changes.ts'
import type { EventRow, PaymentRow, RefundRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import { queueMail } from '../mail/queries.ts'
import { confirm } from '../places/place-queries.ts'
import { endHolds, releasePlace } from '../places/release-queries.ts'
import { reserveAgain } from '../places/reserve-again.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findRegistration, hasLiveTwin, lockRegistration } from '../records/registration-queries.ts'
import { isPaidAtDoor } from './door-payment-queries.ts'
import { lockPayment, markPaid } from './payment-queries.ts'
import { queueRefund } from './refund-queries.ts'
import { wakeEventsOf } from './stripe-event-queries.ts'

type Paid = Extract<StripeFacts, { kind: 'paid' }>

/**
 * Settles a paid session: confirms its registration or, where that is no longer possible, gives the money back. Once for each payment,
 * however often and by whatever way it is reported.
 */
export async function settle(tx: Tx, now: Date, known: PaymentRow, paid: Paid): Promise<void> {
  // The event's row first, as everywhere: one order for all locks prevents deadlocks.
  const found = known.registrationId === null ? undefined : await findRegistration(tx, known.registrationId)
  const event = found && (await lockEvent(tx, found.eventId))
  if (found) await endHolds(tx, [found.eventId], now)
  const registration = found && (await lockRegistration(tx, found.id))
  const payment = await lockPayment(tx, known.id)
  if (payment.status === 'paid') return
  await markPaid(tx, payment.id, paid, now)
  await wakeEventsOf(tx, paid.paymentIntent, now)
  const reason = event && registration ? await place(tx, now, { event, registration, payment, paid }) : 'too late'
  if (reason === null) return
  const refundId = await queueRefund(tx, payment, { amount: paid.amount, reason }, now)
  if (!registration) return
  const { id, clubId, email } = registration
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'refunded', refundId }, now)
  const action = 'paid too late, money goes back'
  await logRegistration(tx, now, registration, { userId: null, action, after: { reason } })
}

interface Locked {
  event: EventRow
  registration: RegistrationRow
  payment: PaymentRow
  paid: Paid
}

/** Confirms the registration and returns null, or returns why the money goes back. */
async function place(
  tx: Tx,
  now: Date,
  { event, registration, payment, paid }: Locked,
): Promise<RefundRow['reason'] | null> {
  const { status, cancelReason } = registration
  const giveUp = async (reason: RefundRow['reason']) => {
    if (status === 'pending')
      await releasePlace(tx, registration, { reason: 'hold ended', action: 'hold ended', userId: null }, now)
    return reason
  }
  if (paid.amount !== payment.amount || paid.currency !== payment.currency) return giveUp('wrong amount')
  if (event.status !== 'published') return giveUp('event cancelled')
  // Also where the place is gone, but the money taken at the door is not given back yet.
  if (status === 'confirmed' || (await isPaidAtDoor(tx, registration.id))) return 'paid twice'
  if (status === 'pending') return confirmPaid(tx, now, registration)
  if (cancelReason !== 'hold ended') return 'cancelled'
  const isPlaceLeft =
    now < event.endsAt && !(await hasLiveTwin(tx, registration)) && (await reserveAgain(tx, registration)) === null
  return isPlaceLeft ? confirmPaid(tx, now, registration) : 'too late'
}

async function confirmPaid(tx: Tx, now: Date, registration: RegistrationRow): Promise<null> {
  const { id, clubId, status, email } = registration
  await confirm(tx, id)
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'ticket' }, now)
  const change = { before: { status }, after: { status: 'confirmed' } }
  await logRegistration(tx, now, registration, { userId: null, action: 'paid', ...change })
  return null
}
