import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { DoorWay } from '../../../contract/door-money.ts'
import type { Checkout } from '../../../contract/payments.ts'

/** A payment of one registration. Several that are paid together are parts of one, the lead, which has their session. */
export interface PaymentTable {
  id: Generated<number>
  /** The lead of a part; null for the lead itself and for a payment of one registration. */
  leadId: Generated<number | null>
  /** Whether its session is that of an order's page. Of a payment of one registration, it leads back to the ticket's own page. */
  isOrder: Generated<boolean>
  /** The idempotency key with which its session is opened, also in the session's metadata. */
  key: string
  /** Null when the club was removed; likewise `eventId`. */
  clubId: number | null
  eventId: number | null
  /** Null when the registration was removed. */
  registrationId: number | null
  isEmbedded: boolean
  /** The request to Stripe, stored until it is answered: repeated unchanged, it gives the same session. */
  request: ColumnType<unknown, string, string> | null
  sessionId: string | null
  status: 'starting' | 'open' | 'paid' | 'ended'
  amount: number
  currency: string
  /** The amount given back or queued to be. */
  refunded: Generated<number>
  paymentIntent: string | null
  /** Stripe's status of a dispute. */
  dispute: string | null
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  /** When Stripe is asked next for its status; null when that is final. */
  askAt: Date | null
  lockedUntil: Date | null
  /** When the bank was last asked on behalf of a visitor. */
  askedAt: Date | null
  /** The open session's way to pay. */
  way: JSONColumnType<Checkout> | null
  /** How it was paid at the door; `online` for what another installation took for a club that has moved since; null for a payment at our bank. */
  takenAs: DoorWay | 'online' | null
  /** Who took it at the door, and on which phone. */
  takenBy: string | null
  takenOn: string | null
}

export interface RefundTable {
  id: Generated<number>
  /** The idempotency key with which Stripe is asked for it. */
  key: Generated<string>
  paymentId: number
  /** The key of the request that asked for it. */
  requestKey: string | null
  /** The amount that request asked for: 0 for all that is left; null when it was not recorded. */
  requestAmount: number | null
  amount: number
  /** `by hand` and `taken back`: money from the door, which somebody has handed back. */
  reason:
    | 'too late'
    | 'staff'
    | 'cancelled'
    | 'event cancelled'
    | 'paid twice'
    | 'wrong amount'
    | 'at Stripe'
    | 'by hand'
    | 'taken back'
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

/** The income of an event by quarter of an hour and currency, in its smallest unit. Kept by triggers. */
export interface IncomeCountTable {
  eventId: number
  currency: string
  at: Date
  /** Paid then. */
  paid: Generated<number>
  /** Given back of these payments, whenever that was. */
  returned: Generated<number>
  /** Lost of these payments in disputes. */
  lost: Generated<number>
  /** Given back then, whenever it had been paid. */
  refunded: Generated<number>
}

/** The relevant facts of a Stripe event; nothing about the payer is stored. */
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
  /** When it is handled, or tried again. */
  runAt: Date
  handledAt: Date | null
}
