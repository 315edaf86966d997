import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { PaymentRow, RefundRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { freeSeats, lockEvent } from '../events/queries.ts'
import { freeVouchers } from '../extras/queries.ts'
import { queueMail } from '../mail/queries.ts'
import { cancel, findOwnRegistration, toRegistration } from '../registrations/queries.ts'
import * as queries from './queries.ts'

interface Wanted {
  registrationId: number
  /** Minor unit; without it all that is left. */
  amount?: number | undefined
  /** The same key again is the same request. */
  idempotencyKey?: string | undefined
}

/**
 * Staff give money back: all that is left, which cancels the registration, or a part. What is disputed is the bank's to decide.
 * Refuses with NOT_FOUND, NOT_PAID,
 * REFUND_TOO_LARGE. The money itself is asked for in the background, until Stripe has given it.
 */
export async function refund(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { registrationId, amount, idempotencyKey }: Wanted,
): Promise<Registration> {
  return db.transaction().execute(async (tx) => {
    await lockEvent(tx, event.id)
    const registration = await findOwnRegistration(tx, event, registrationId)
    if (!registration) throw new Refusal('NOT_FOUND')
    const requestKey = idempotencyKey === undefined ? null : `${registration.id} ${idempotencyKey}`
    if (requestKey !== null && (await queries.isAskedFor(tx, requestKey))) return toRegistration(registration)
    const left = await moneyLeft(tx, registration.id)
    if (left === 0) throw new Refusal('NOT_PAID')
    const wanted = amount ?? left
    if (wanted > left) throw new Refusal('REFUND_TOO_LARGE')
    const refundId = await giveBack(tx, now(), registration.id, wanted, 'staff', requestKey)
    const { id, clubId, email, status } = registration
    if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'refunded', refundId }, now())
    const what = { subject: 'registration' as const, subjectId: id, action: 'refund' }
    await logChange(tx, now(), { clubId, userId: caller.id, ...what, after: { amount: wanted } })
    if (wanted < left || status === 'cancelled') return toRegistration(registration)
    return toRegistration(await cancelRefunded(tx, now(), registration, caller.id))
  })
}

/** Cancels a registration of which nothing is paid any more; its event must be locked. */
export async function cancelRefunded(
  tx: Tx,
  now: Date,
  { id, eventId, clubId, status }: RegistrationRow,
  userId: number | null,
): Promise<RegistrationRow> {
  const saved = await cancel(tx, id, 'refund')
  await freeSeats(tx, eventId, 1)
  await freeVouchers(tx, id)
  const what = { subject: 'registration' as const, subjectId: id, action: 'cancelled' }
  await logChange(tx, now, { clubId, userId, ...what, before: { status }, after: { status: 'cancelled' } })
  return saved
}

/** Queues all that was paid for a registration to be given back; answers how much. */
export async function giveAllBack(
  tx: Tx,
  now: Date,
  registrationId: number,
  reason: RefundRow['reason'],
): Promise<number> {
  const left = await moneyLeft(tx, registrationId)
  if (left > 0) await giveBack(tx, now, registrationId, left, reason, null)
  return left
}

async function moneyLeft(tx: Tx, registrationId: number): Promise<number> {
  const paid = await queries.lockPaid(tx, registrationId)
  return paid.filter(canGiveBack).reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
}

/** Whose money is disputed, or lost by it, has it from the bank. */
function canGiveBack({ dispute }: PaymentRow): boolean {
  return dispute === null || dispute === 'won' || dispute === 'warning_closed'
}

/** Queues the amount, from the first payment on; answers the first of its refunds. */
async function giveBack(
  tx: Tx,
  now: Date,
  registrationId: number,
  amount: number,
  reason: RefundRow['reason'],
  requestKey: string | null,
): Promise<number | null> {
  let rest = amount
  let first: number | null = null
  for (const payment of (await queries.lockPaid(tx, registrationId)).filter(canGiveBack)) {
    const part = Math.min(rest, payment.amount - payment.refunded)
    if (part > 0) {
      const id = await queries.queueRefund(tx, payment, part, reason, now, first === null ? requestKey : null)
      first ??= id
    }
    rest -= part
  }
  return first
}
