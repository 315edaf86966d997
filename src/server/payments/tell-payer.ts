import type { RegistrationRow, Tx } from '../db/schema.ts'
import { queueMail } from '../mail/queries.ts'
import { findFormerHolders, findRegistration } from '../records/registration-queries.ts'

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
  const { id, clubId, handedOnAt, email } = contact ?? registration
  const mail = { clubId, registrationId: id, kind: 'refunded' as const, refundId: first.id }
  const recipient = handedOnAt === null ? null : ((await findFormerHolders(tx, [id])).at(-1)?.email ?? '')
  if (recipient === null && email !== '') await queueMail(tx, mail, now)
  else if (recipient) await queueMail(tx, { ...mail, recipient }, now)
  // Whoever got a ticket from somebody else is told when it is void, which is all the mail is sent for.
  for (const { registration: each } of refunds)
    if (each.handedOnAt !== null && each.email !== '')
      await queueMail(tx, { clubId, registrationId: each.id, kind: 'registration cancelled' }, now)
}
