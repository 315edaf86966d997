import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Checkout } from '../../../contract/payments.ts'

export interface PaymentTable {
  id: Generated<number>
  /** The idempotency key with which its session is opened, and what the session's metadata says. */
  key: string
  /** Null, like the next two, when it was removed. */
  clubId: number | null
  eventId: number | null
  /** Null when the registration was removed. */
  registrationId: number | null
  isEmbedded: boolean
  /** What Stripe is asked for, kept until its answer is here: asked again in the same words it is the same session. */
  request: ColumnType<unknown, string, string> | null
  sessionId: string | null
  status: 'starting' | 'open' | 'paid' | 'ended'
  amount: number
  currency: string
  /** What was given back or is queued to be. */
  refunded: Generated<number>
  paymentIntent: string | null
  /** Stripe's word for where a dispute stands. */
  dispute: string | null
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  /** When Stripe is asked next what became of it; null when that is known. */
  askAt: Date | null
  lockedUntil: Date | null
  /** When the bank was last asked because a visitor wanted to know. */
  askedAt: Date | null
  /** The open session's way to pay. */
  way: JSONColumnType<Checkout> | null
}

export interface RefundTable {
  id: Generated<number>
  /** The idempotency key with which Stripe is asked for it. */
  key: Generated<string>
  paymentId: number
  /** The key of the request that asked for it. */
  requestKey: string | null
  /** What that request asked for: 0 for all that is left; null where that was not kept. */
  requestAmount: number | null
  amount: number
  reason: 'too late' | 'staff' | 'cancelled' | 'event cancelled' | 'paid twice' | 'wrong amount' | 'at Stripe'
  status: Generated<'queued' | 'done' | 'failed'>
  stripeId: string | null
  attempts: Generated<number>
  /** How often Stripe itself refused it for a reason that may pass. */
  refusals: Generated<number>
  lastError: string | null
  runAt: Date
  lockedUntil: Date | null
  createdAt: Date
}

/** What one of Stripe's events says that matters here; nothing of who paid is kept. */
export type StripeFacts =
  | { kind: 'paid'; sessionId: string; key: string; paymentIntent: string; amount: number; currency: string }
  | { kind: 'ended'; sessionId: string }
  | { kind: 'refunded'; paymentIntent: string; amount: number }
  | { kind: 'refund failed'; refundId: string }
  | { kind: 'dispute'; paymentIntent: string; status: string }
  | { kind: 'other' }

export interface StripeEventTable {
  id: string
  body: JSONColumnType<StripeFacts>
  receivedAt: Date
  attempts: Generated<number>
  /** When it is acted on, or tried again. */
  runAt: Date
  handledAt: Date | null
}
