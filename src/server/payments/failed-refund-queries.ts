import { sql } from 'kysely'
import { disputesWon } from '../../contract/payments.ts'

// Which refunds wait for staff: one rule for the list of what needs attention and for the button that asks Stripe again. `f` is the
// refund, `p` its payment.

/** Whether the club may give a payment's money back: in a dispute that is open or lost, that is up to the bank. */
export const canRefund = sql<boolean>`(dispute is null or dispute = any(${disputesWon}::text[]))`

/** Still queued, and refused by Stripe, or Stripe could not be reached again and again. */
export const isStuck = sql<boolean>`(f.status = 'queued' and (f.refusals > 0 or f.attempts > 5))`

/** It failed for good, and the money is still owed. */
export const isOwed = sql<boolean>`(
  f.status = 'failed' and p.status = 'paid' and p.refunded < p.amount and ${canRefund}
  and not exists (select from refunds newer where newer.payment_id = p.id and newer.id > f.id)
)`
