import type { RegistrationRow, Tx } from '../db/schema.ts'
import { queueMail } from '../mail/queries.ts'
import { findRegistration } from '../records/registration-queries.ts'

/** A refund that was just queued or noted, and for whom the money was paid. */
export interface MadeRefund {
  id: number
  registration: RegistrationRow
}

/** Tells whoever paid of refunds made at once of one payment: of an order that is its contact, in one mail with the sum of all. */
export async function tellPayer(tx: Tx, now: Date, refunds: readonly MadeRefund[]): Promise<void> {
  const [first] = refunds
  if (!first) return
  const { registration } = first
  const contact = registration.orderId === null ? undefined : await findRegistration(tx, registration.orderId)
  const { id, clubId, email } = contact ?? registration
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'refunded', refundId: first.id }, now)
}
