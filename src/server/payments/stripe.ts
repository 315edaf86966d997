import Stripe from 'stripe'
import type { StripeFacts } from '../db/schema.ts'
import type { Settings } from '../settings.ts'

/** Card payment, as the server has it; null in `deps` where the operator has not set it up. */
export interface CardPayment {
  client: Stripe
  webhookSecret: string
  /** For Stripe's script in the page; without it visitors pay on Stripe's own page. */
  publishableKey: string | null
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
  return { client, webhookSecret, publishableKey } satisfies CardPayment
}

/** What of an event matters here. */
export function factsOf(event: Stripe.Event): StripeFacts {
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

/** What a session says of its payment; null while it is not paid. */
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

/** Whether Stripe understood and refused, so that asking the same again is of no use. */
export function isRefusedByStripe(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError
  )
}

/** Stripe's own code for a refusal; empty where there is none. */
export function stripeCodeOf(error: unknown): string {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? '') : ''
}

/** Whether Stripe itself broke: it keeps such an answer under the key, so that the same key would bring it again. */
export function isBrokenAnswer(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500
}

/** What of an error of Stripe may stand in a log: its words can hold what the visitor typed. */
export function faultOf(error: unknown) {
  if (!(error instanceof Stripe.errors.StripeError)) return { type: error instanceof Error ? error.name : 'unknown' }
  const { type, code, param, statusCode, requestId } = error
  return { type, code, param, statusCode, requestId }
}
