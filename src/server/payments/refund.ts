import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logRegistration } from '../db/changes.ts'
import type { PaymentRow, RefundRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { queueForPayers, queueMail } from '../mail/queries.ts'
import { releasePlace } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findOwnRegistration, toRegistration } from '../records/registration-queries.ts'
import { lockMoneyLeft } from './payment-queries.ts'
import { findRefundRequest, queueFullRefunds, queueRefund, type RefundRequest } from './refund-queries.ts'
import { tellPayer } from './tell-payer.ts'

interface Wanted {
  registrationId: number
  /** Minor unit; without it all that is left. */
  amount?: number | undefined
  /** Repeating the key repeats the same request. */
  idempotencyKey?: string | undefined
}

/**
 * Staff give money back: all that is left, which cancels the registration, or a part. The bank decides about disputed money. Refuses with
 * NOT_FOUND, NOT_PAID, REFUND_TOO_LARGE. Stripe is asked for the refund in the background, until it is made; what was taken at the door
 * is handed back by the staff, and only recorded.
 */
export async function refund(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { registrationId, amount, idempotencyKey }: Wanted,
): Promise<Registration> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
    const registration = await findOwnRegistration(tx, event, registrationId)
    if (!registration) throw new Refusal('NOT_FOUND')
    const request =
      idempotencyKey === undefined ? null : { key: `${registration.id} ${idempotencyKey}`, amount: amount ?? 0 }
    if (request !== null && (await isRepeated(tx, request))) return toRegistration(registration)
    const payments = await lockMoneyLeft(tx, [registration.id], 'all')
    const left = payments.reduce((sum, payment) => sum + payment.amount - payment.refunded, 0)
    if (left === 0) throw new Refusal('NOT_PAID')
    const wanted = amount ?? left
    if (wanted > left) throw new Refusal('REFUND_TOO_LARGE')
    const refundId = await refundParts(tx, now(), payments, wanted, request)
    const { id, clubId, email, status, currency } = registration
    // Whoever gets the money by hand needs no news of the bank.
    const isByHand = payments.every(({ takenAs }) => takenAs !== null)
    if (!isByHand && refundId !== null && registration.handedOnAt !== null)
      await tellPayer(tx, now(), [{ id: refundId, registration }])
    else if (email !== '' && !isByHand)
      await queueMail(tx, { clubId, registrationId: id, kind: 'refunded', refundId }, now())
    const after = { amount: wanted, currency }
    await logRegistration(tx, now(), registration, { userId: caller.id, action: 'refund', after })
    if (wanted < left || status === 'cancelled') return toRegistration(registration)
    return toRegistration(await cancelRefunded(tx, now(), registration, caller.id))
  })
}

/** Whether a request with this key has come before. Refuses with IDEMPOTENCY_MISMATCH when it asked for another amount. */
async function isRepeated(tx: Tx, { key, amount }: RefundRequest): Promise<boolean> {
  const before = await findRefundRequest(tx, key)
  if (before && before.amount !== null && before.amount !== amount)
    throw new Refusal('IDEMPOTENCY_MISMATCH', { msg: texts.keyOfOtherRefund })
  return before !== null
}

/** Cancels a registration that is refunded in full; its event must be locked. */
export async function cancelRefunded(
  tx: Tx,
  now: Date,
  registration: RegistrationRow,
  userId: number | null,
): Promise<RegistrationRow> {
  return releasePlace(tx, registration, { reason: 'refund', action: 'cancelled', userId }, now)
}

/** Queues refunds of all that was paid for these registrations at the bank and may be given back; returns whether there was any. */
export async function refundAll(
  tx: Tx,
  now: Date,
  registrationIds: readonly number[],
  reason: RefundRow['reason'],
): Promise<boolean> {
  const payments = await lockMoneyLeft(tx, registrationIds, 'bank')
  await queueFullRefunds(tx, payments, reason, now)
  if (payments.length > 0) await queueForPayers(tx, registrationIds, now)
  return payments.length > 0
}

/** Queues the amount, from the first payment on; returns the first of its refunds. */
async function refundParts(
  tx: Tx,
  now: Date,
  payments: readonly PaymentRow[],
  amount: number,
  request: RefundRequest | null,
): Promise<number | null> {
  let rest = amount
  let first: number | null = null
  for (const payment of payments) {
    const part = Math.min(rest, payment.amount - payment.refunded)
    if (part > 0) {
      const id = await queueRefund(
        tx,
        payment,
        {
          amount: part,
          reason: payment.takenAs === null ? 'staff' : 'by hand',
          request: first === null ? request : null,
        },
        now,
      )
      first ??= id
    }
    rest -= part
  }
  return first
}
