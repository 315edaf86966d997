import { randomBytes } from 'node:crypto'

export interface Item {
  name: string
  description: string | null
  unitAmount: number
  quantity: number
}

/** A checkout session. Times are Unix seconds, amounts minor units. */
export interface Session {
  id: string
  createdAt: number
  expiresAt: number
  status: 'open' | 'complete' | 'expired'
  uiMode: 'hosted_page' | 'embedded_page'
  clientSecret: string | null
  items: readonly Item[]
  amountTotal: number
  currency: string
  metadata: Record<string, string>
  paymentMetadata: Record<string, string>
  clientReferenceId: string | null
  customerEmail: string | null
  successUrl: string | null
  cancelUrl: string | null
  returnUrl: string | null
  payment: Payment | null
}

/** A paid session's payment intent and its one charge. */
export interface Payment {
  id: string
  chargeId: string
  sessionId: string
  createdAt: number
  amount: number
  refunded: number
  disputed: boolean
  currency: string
  metadata: Record<string, string>
}

export interface Refund {
  id: string
  createdAt: number
  payment: Payment
  amount: number
  reason: string | null
  metadata: Record<string, string>
}

/** An object as it goes over the wire. */
export type Wire = Record<string, unknown>

/** The API request that caused an event; left out for actions of visitors and of time. */
export interface Cause {
  id: string | null
  idempotencyKey: string | null
}

/** The bank's state, and how it reports a change as an event. */
export interface Books {
  url: string
  now: () => Date
  /** Whether the account has the money for refunds. */
  hasBalance: () => boolean
  sessions: Map<string, Session>
  payments: Map<string, Payment>
  refunds: Map<string, Refund>
  /** Makes an event; resolves when it was delivered or its delivery given up. */
  tell: (type: string, object: Wire, cause?: Cause) => Promise<void>
}

/** A time in Unix seconds, as Stripe writes it. */
export function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}

/** An id about as long as Stripe's. */
export function newId(prefix: string, bytes = 12): string {
  return prefix + randomBytes(bytes).toString('hex')
}
