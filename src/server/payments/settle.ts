import { logRegistration } from '../db/changes.ts'
import type { PaymentRow, RefundRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import { queueMail } from '../mail/queries.ts'
import { confirm } from '../places/place-queries.ts'
import { releasePlaces } from '../places/release-queries.ts'
import { reserveAgain } from '../places/reserve-again.ts'
import { withoutTwins } from '../records/registration-queries.ts'
import { isPaidAtDoor } from './door-payment-queries.ts'
import { lockPaidFor, type PaidFor } from './paid-for.ts'
import { lockParts, markPaid } from './payment-queries.ts'
import { queueRefund } from './refund-queries.ts'
import { wakeEventsOf } from './stripe-event-queries.ts'
import { type MadeRefund, tellPayer } from './tell-payer.ts'

type Paid = Extract<StripeFacts, { kind: 'paid' }>
type Reason = RefundRow['reason']

/**
 * Settles a paid session: confirms its registrations or, where that is no longer possible, gives the money back, for each of an order by
 * itself. Once for each session, however often and by whatever way it is reported.
 */
export async function settle(tx: Tx, now: Date, known: PaymentRow, paid: Paid): Promise<void> {
  const paidFor = await lockPaidFor(tx, now, known)
  const parts = await lockParts(tx, known.id)
  if (parts.some(({ status }) => status === 'paid')) return
  const isRight = paid.amount === totalOf(parts) && parts.every(({ currency }) => currency === paid.currency)
  await markPaid(tx, known.id, paid, now, isRight)
  await wakeEventsOf(tx, paid.paymentIntent, now)
  const registrationOf = ({ registrationId }: PaymentRow) =>
    paidFor.registrations.find(({ id }) => id === registrationId)
  if (!isRight) {
    await giveUp(tx, now, paidFor)
    const part = { ...known, amount: paid.amount }
    return giveBack(tx, now, [{ part, registration: registrationOf(known), reason: 'wrong amount' }])
  }
  const reasons = await place(tx, now, paidFor)
  const refused = parts.flatMap((part): Refused[] => {
    const registration = registrationOf(part)
    const reason = registration ? reasons.get(registration) : 'too late'
    return reason ? [{ part, registration, reason }] : []
  })
  await giveBack(tx, now, refused)
}

interface Refused {
  part: Pick<PaymentRow, 'id' | 'amount'>
  registration: RegistrationRow | undefined
  reason: Reason
}

/** Gives the money of these parts back, and tells whoever paid it. */
async function giveBack(tx: Tx, now: Date, refused: readonly Refused[]): Promise<void> {
  const made: MadeRefund[] = []
  for (const { part, registration, reason } of refused) {
    const id = await queueRefund(tx, part, { amount: part.amount, reason }, now)
    if (!registration) continue
    made.push({ id, registration })
    const action = 'paid too late, money goes back'
    await logRegistration(tx, now, registration, { userId: null, action, after: { reason } })
  }
  await tellPayer(tx, now, made)
}

/** Confirms the registrations that can be; returns for the others why their money goes back. */
async function place(tx: Tx, now: Date, paidFor: PaidFor): Promise<Map<RegistrationRow, Reason>> {
  const { event, registrations, free } = paidFor
  const refuse = (rows: readonly RegistrationRow[], reason: Reason) => rows.map((row) => [row, reason] as const)
  if (!event) return new Map(refuse(registrations, 'too late'))
  if (event.status !== 'published') {
    await giveUp(tx, now, paidFor)
    return new Map(refuse(registrations, 'event cancelled'))
  }
  const refused: (readonly [RegistrationRow, Reason])[] = []
  const late: RegistrationRow[] = []
  const waiting: RegistrationRow[] = []
  for (const row of registrations) {
    // Also where the place is gone, but the money taken at the door is not given back yet.
    if (row.status === 'confirmed' || (await isPaidAtDoor(tx, row.id))) refused.push([row, 'paid twice'])
    else if (row.status === 'pending') waiting.push(row)
    else if (row.cancelReason === 'hold ended') late.push(row)
    else refused.push([row, 'cancelled'])
  }
  // Whoever has nothing to pay gets in with those who had, or not at all.
  if (waiting.length > 0) waiting.push(...free.filter(({ status }) => status === 'pending'))
  if (late.length > 0) {
    const others = free.filter(({ cancelReason }) => cancelReason === 'hold ended')
    const isStillMissing = (await withoutTwins(tx, late)).length === late.length
    // Whoever of the others has another ticket by now needs none.
    const all = [...late, ...(await withoutTwins(tx, others))]
    if (now < event.endsAt && isStillMissing && (await reserveAgain(tx, all)) === null) waiting.push(...all)
    else refused.push(...refuse(late, 'too late'))
  }
  await confirmPaid(tx, now, waiting)
  return new Map(refused)
}

/** Releases the places that were held for a payment. */
async function giveUp(tx: Tx, now: Date, { registrations, free }: PaidFor): Promise<void> {
  const pending = [...registrations, ...free].filter(({ status }) => status === 'pending')
  await releasePlaces(tx, pending, { reason: 'hold ended', action: 'hold ended', userId: null }, now)
}

async function confirmPaid(tx: Tx, now: Date, registrations: readonly RegistrationRow[]): Promise<void> {
  await confirm(
    tx,
    registrations.map(({ id }) => id),
  )
  for (const registration of registrations) {
    const { id, clubId, status, email } = registration
    if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'ticket' }, now)
    const change = { before: { status }, after: { status: 'confirmed' } }
    const action = registration.amount > 0 ? 'paid' : 'confirmed with the order'
    await logRegistration(tx, now, registration, { userId: null, action, ...change })
  }
}

function totalOf(parts: readonly Pick<PaymentRow, 'amount'>[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
