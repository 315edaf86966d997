import { Refusal } from '../../../contract/errors.ts'
import { refusalToRegister } from '../../../contract/event.ts'
import { paidTogetherWith } from '../../../contract/order.ts'
import { formatPrice, leastPayable } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { Visitor } from '../../access/visitor.ts'
import { hasEndedCode } from '../../codes/queries.ts'
import type { EventRow, PaymentRow, RegistrationRow, Tx } from '../../db/schema.ts'
import { HOLD_MS } from '../../places/hold.ts'
import { findTooManyHolds, storeHolds } from '../../places/limits-of-holds.ts'
import { holdAgain } from '../../places/place-queries.ts'
import { endHolds } from '../../places/release-queries.ts'
import { refusalOfGone, reserveAgain } from '../../places/reserve-again.ts'
import { lockEvent } from '../../places/seat-queries.ts'
import { lockOrderOf } from '../../records/order-queries.ts'
import { countLive, withoutTwins } from '../../records/registration-queries.ts'
import { findTicketTypes, isSold } from '../../records/ticket-type-queries.ts'
import { findLivePayment, findParts, insertPayments } from '../payment-queries.ts'

interface Terms {
  now: Date
  isEmbedded: boolean
  /** Whether the caller may see all tickets of the order. */
  isOrder: boolean
  /** Null for staff, who have no limits. */
  visitor: Visitor | null
}

/** A payment whose session can be paid. */
interface LivePayment {
  payment: PaymentRow
  /** Whether it is of the kind wanted, and for all who are to be paid for; otherwise it has to be closed first. */
  isCurrent: boolean
}

/**
 * The live payment of a registration and all others of its order that are not paid, created if there is none. Holds that ended are renewed,
 * for all of them or none.
 */
export async function livePayment(
  tx: Tx,
  { id, eventId }: Pick<RegistrationRow, 'id' | 'eventId'>,
  terms: Terms,
): Promise<LivePayment> {
  const { now, isEmbedded, isOrder } = terms
  const event = await lockEvent(tx, eventId)
  if (!event) throw new Refusal('NOT_FOUND')
  await endHolds(tx, [eventId], now)
  const order = await lockOrderOf(tx, id)
  const registration = order.find((each) => each.id === id)
  if (!registration) throw new Refusal('NOT_FOUND')
  if (order.every(({ amount }) => amount === 0)) throw new Refusal('ALREADY_PAID', { msg: texts.nothingToPay })
  if (registration.status === 'confirmed') throw new Refusal('ALREADY_PAID')
  if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  if (now >= event.endsAt) throw new Refusal('EVENT_OVER')
  const isPending = registration.status === 'pending'
  if (!isPending && registration.cancelReason !== 'hold ended') throw new Refusal('TICKET_CANCELLED')
  const together = paidTogetherWith(registration, order)
  if (together.length > 1 && !isOrder) throw new Refusal('PAID_TOGETHER')
  const unpaid = isPending ? together : await holdOnceMore(tx, event, { contact: order[0], ended: together }, terms)
  const ids = unpaid.filter(({ amount }) => amount > 0).map((each) => each.id)
  if (ids.length === 0) throw new Refusal('ALREADY_PAID', { msg: texts.nothingToPay })
  checkPayable(unpaid, event.currency)
  const live = await findLivePayment(tx, ids)
  if (live) {
    const parts = (await findParts(tx, live.id)).map(({ registrationId }) => registrationId)
    const isForAll = parts.length === ids.length && ids.every((each) => parts.includes(each))
    const isOfKind = live.isEmbedded === isEmbedded && live.isOrder === unpaid.length > 1
    return { payment: live, isCurrent: isForAll && isOfKind }
  }
  await insertPayments(tx, [unpaid], isEmbedded, now)
  const made = await findLivePayment(tx, ids)
  if (!made) throw new Error('A payment just made is not there.')
  return { payment: made, isCurrent: true }
}

/** Refuses less than can be paid by card: of an order, only some may be left to pay for. */
function checkPayable(unpaid: readonly RegistrationRow[], currency: string): void {
  const total = unpaid.reduce((sum, { amount }) => sum + amount, 0)
  const least = leastPayable(currency)
  if (total < least)
    throw new Refusal('PAYMENTS_OFF', { msg: () => texts.leastByCard({ amount: formatPrice(least, currency) }) })
}

interface Ended {
  /** Whoever made the order. */
  contact: RegistrationRow | undefined
  ended: readonly RegistrationRow[]
}

/** Takes the places of these again until they are paid, for all of them or none. */
async function holdOnceMore(
  tx: Tx,
  event: EventRow,
  { contact, ended: all }: Ended,
  { now, visitor }: Terms,
): Promise<RegistrationRow[]> {
  const closed = refusalToRegister(event, now)
  if (closed) throw new Refusal(closed)
  // Not for what was paid in time: that is settled whatever the sale says.
  const types = await findTicketTypes(tx, event.id)
  if (!all.every((each) => isSold(types, each, now))) throw new Refusal('REGISTRATION_CLOSED')
  if (await hasEndedCode(tx, all, now)) throw new Refusal('REGISTRATION_CLOSED', { msg: texts.codeEnded })
  const ended = await withoutTwins(tx, all)
  // Whoever has nothing to pay and another ticket by now needs none.
  if (all.some((each) => each.amount > 0 && !ended.includes(each))) throw new Refusal('ALREADY_REGISTERED')
  if (visitor && (await isOverLimit(tx, event, ended))) throw new Refusal('EMAIL_LIMIT')
  const email = contact?.email ?? ''
  const holdExpiresAt = new Date(now.getTime() + HOLD_MS)
  const address = visitor?.address ?? null
  const holding = { email, address, holdExpiresAt, people: ended.length }
  const tooMany = (await findTooManyHolds(tx, [holding], now)).get(holding)
  if (tooMany) throw tooMany
  const gone = await reserveAgain(tx, ended)
  if (gone) throw await refusalOfGone(tx, gone)
  const held = await holdAgain(
    tx,
    ended.map(({ id }) => id),
    holdExpiresAt,
  )
  await storeHolds(
    tx,
    held.map((row) => ({ row, email, address })),
  )
  return held
}

/** Whether one of their addresses would have more live registrations than the event allows. */
async function isOverLimit(tx: Tx, event: EventRow, ended: readonly RegistrationRow[]): Promise<boolean> {
  const wanted = new Map<string, number>()
  for (const { email } of ended) wanted.set(email.toLowerCase(), (wanted.get(email.toLowerCase()) ?? 0) + 1)
  for (const [email, count] of wanted)
    if (email !== '' && (await countLive(tx, event.id, email)) + count > event.maxPerEmail) return true
  return false
}
