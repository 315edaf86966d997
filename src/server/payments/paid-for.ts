import type { EventRow, PaymentRow, RegistrationRow, Tx } from '../db/schema.ts'
import { endHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findFreeOfOrder } from '../records/order-queries.ts'
import { lockRegistrations } from '../records/registration-queries.ts'
import { findParts } from './payment-queries.ts'

/** What a session is for, locked. */
export interface PaidFor {
  /** Undefined when it is removed. */
  event: EventRow | undefined
  /** Those that are still there of whom something is paid for. */
  registrations: RegistrationRow[]
  /** The others of their order, who have nothing to pay. */
  free: RegistrationRow[]
}

/**
 * Locks what a payment and its parts are for: the event's row first, as everywhere, because one order for all locks prevents deadlocks.
 * Holds that have ended are over.
 */
export async function lockPaidFor(tx: Tx, now: Date, { id, eventId }: PaymentRow): Promise<PaidFor> {
  const event = eventId === null ? undefined : await lockEvent(tx, eventId)
  if (event) await endHolds(tx, [event.id], now)
  const paid = (await findParts(tx, id)).flatMap(({ registrationId }) => registrationId ?? [])
  const free = await findFreeOfOrder(tx, paid)
  const rows = await lockRegistrations(tx, [...paid, ...free])
  const isPaid = ({ id }: RegistrationRow) => paid.includes(id)
  return { event, registrations: rows.filter(isPaid), free: rows.filter((row) => !isPaid(row)) }
}
