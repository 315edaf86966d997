import type Stripe from 'stripe'
import type { PaymentRow } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { endPayment } from '../payment-queries.ts'
import { settle } from '../settle.ts'
import { paidFacts } from '../stripe.ts'

/** Applies the state of a session at Stripe: paid, ended, or nothing new. */
export async function syncSession(
  { db, now }: Deps,
  payment: PaymentRow,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const paid = paidFacts(session)
  if (paid) await db.transaction().execute((tx) => settle(tx, now(), payment, paid))
  else if (session.status === 'expired') await endPayment(db, payment.id)
}
