import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { StripeFacts } from '../db/tables/payments.ts'

import type { Settings } from '../settings.ts'

/** Card payment, as the server uses it; null in `deps` where the operator has not set it up. */
export interface CardPayment {
  client: Stripe
  webhookSecret: string
  /** For Stripe's script in the page; without it visitors pay on Stripe's own page. */
  publishableKey: string | null
  /** The origin of Stripe's own payment page. */
  checkoutOrigin: string
  /** Whether the key moves real money. */
  isLive: boolean
}

/** Stripe's SDK with the operator's keys. */
export function cardPayment({ secretKey, webhookSecret, publishableKey, apiBase }: NonNullable<Settings['stripe']>) {
  const base = apiBase === null ? null : new URL(apiBase)
  const client = new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
      protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  })
  const checkoutOrigin = base?.origin ?? 'https://checkout.stripe.com'
  const isLive = /^[rs]k_live_/.test(secretKey)
  return { client, webhookSecret, publishableKey, checkoutOrigin, isLive } satisfies CardPayment
}

const text = z.string().check(z.minLength(1))
const amount = z.int().check(z.nonnegative(), z.maximum(2_147_483_647))

/** Events are validated before they are stored: the signature proves the sender, not the shape. */
const stripeFacts = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paid'),
    sessionId: text,
    key: z.string(),
    paymentIntent: text,
    amount,
    currency: z.string(),
  }),
  z.object({ kind: z.literal('ended'), sessionId: text }),
  z.object({ kind: z.literal('refunded'), paymentIntent: text, amount }),
  z.object({ kind: z.literal('refund failed'), refundId: text }),
  z.object({ kind: z.literal('dispute'), paymentIntent: text, status: text }),
  z.object({ kind: z.literal('other') }),
])

const envelope = z.object({
  id: text,
  type: z.string(),
  livemode: z.optional(z.boolean()),
  /** Set for an account that is connected with ours. */
  account: z.optional(z.nullable(z.string())),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})

/** Whether something that Stripe signed has the shape of an event. */
export function isEvent(body: unknown): boolean {
  return z.safeParse(envelope, body).success
}

/** Whether an event is of the account and of the mode, test or live, that our key is for. */
export function isOurs({ isLive }: CardPayment, { livemode, account }: Stripe.Event): boolean {
  return (livemode === undefined || livemode === isLive) && !account
}

/** The relevant facts of an event; `other` for one that is irrelevant or not as Stripe documents it. */
export function factsOf(event: Stripe.Event): StripeFacts {
  const { data } = z.safeParse(stripeFacts, readFacts(event))
  return data ?? { kind: 'other' }
}

function readFacts(event: Stripe.Event): StripeFacts {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paidFacts(event.data.object) ?? { kind: 'other' }
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { kind: 'ended', sessionId: event.data.object.id }
    case 'charge.refunded': {
      const { payment_intent, amount_refunded } = event.data.object
      const paymentIntent = idOf(payment_intent)
      return paymentIntent ? { kind: 'refunded', paymentIntent, amount: amount_refunded } : { kind: 'other' }
    }
    case 'refund.failed':
      return { kind: 'refund failed', refundId: event.data.object.id }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed': {
      const { payment_intent, status } = event.data.object
      const paymentIntent = idOf(payment_intent)
      return paymentIntent ? { kind: 'dispute', paymentIntent, status } : { kind: 'other' }
    }
    default:
      return { kind: 'other' }
  }
}

type Paid = Extract<StripeFacts, { kind: 'paid' }>

/** The payment of a session; null while it is not paid. */
export function paidFacts(session: Stripe.Checkout.Session): Paid | null {
  const paymentIntent = idOf(session.payment_intent)
  if (session.payment_status !== 'paid' || !paymentIntent) return null
  return {
    kind: 'paid',
    sessionId: session.id,
    key: session.metadata?.payment ?? '',
    paymentIntent,
    amount: session.amount_total ?? 0,
    currency: session.currency ?? '',
  }
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : reference
}

/** Whether Stripe understood and refused, so that repeating the request is of no use. */
export function isRefusedByStripe(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError
  )
}

const finalCodes = new Set(['resource_missing', 'charge_disputed', 'refund_disputed_payment', 'idempotency_error'])

/** Whether Stripe's refusal can never change; too little balance, a limit or a paused account can. */
export function isFinalRefusal(error: unknown): boolean {
  if (!isRefusedByStripe(error)) return false
  const isAboutRequest = error instanceof Stripe.errors.StripeInvalidRequestError
  return !isAboutRequest || finalCodes.has(error.code ?? '') || error.param === 'amount'
}

/** Stripe's own code for a refusal; empty where there is none. */
export function stripeCodeOf(error: unknown): string {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? '') : ''
}

/** Whether Stripe itself failed: it stores such an answer under the key, so that the same key would return it again. */
export function isBrokenAnswer(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500
}

/** The parts of a Stripe error that may be logged: its message can contain what the visitor typed. */
export function faultOf(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return { type: error instanceof Error ? error.name : 'unknown' }
  const { type, code, param, statusCode, requestId } = error
  return { type, code, param, statusCode, requestId }
}
