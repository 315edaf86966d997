import * as z from 'zod/mini'
import * as texts from '../texts/generated/payments.ts'
import { api } from './endpoint.ts'
import { type PaymentSummary, registration, registrationStatus } from './registrations.ts'
import { allWithout, amount, id, line, requiredLine } from './values/fields.ts'

/** How to pay: `clientSecret` for the embedded form, with `checkoutUrl` as its fallback, or `checkoutUrl` alone. */
export const checkout = z.object({
  /** Of an embedded session, for Stripe's script. */
  clientSecret: z.nullable(z.string()),
  /** A page on which it can be paid, also when the embedded form cannot load. */
  checkoutUrl: z.nullable(z.string()),
})
export type Checkout = z.output<typeof checkout>

/** Stripe's statuses of a dispute that the club has won, and of all that are closed. */
export const disputesWon: readonly string[] = ['won', 'warning_closed']
export const disputesOver: readonly string[] = [...disputesWon, 'lost']

/** Whether staff can refund some of a payment: the bank decides about disputed ones. */
export function isRefundable({ paid, refunded, dispute }: PaymentSummary): boolean {
  return refunded < paid && (dispute === null || disputesWon.includes(dispute))
}

/** Why there may be no way to pay. */
export const checkoutRefusals = [
  'PAYMENTS_OFF',
  'ALREADY_PAID',
  'EVENT_CANCELLED',
  'EVENT_OVER',
  'REGISTRATION_CLOSED',
  'REGISTRATION_NOT_OPEN',
  'TICKET_CANCELLED',
  'ALREADY_REGISTERED',
  'EMAIL_LIMIT',
  'SOLD_OUT',
  'VOUCHER_SOLD_OUT',
  'TOO_MANY_HOLDS',
] as const

export const paymentApi = api({
  createCheckout: {
    method: 'POST',
    path: '/api/stripe/createCheckout',
    access: { who: 'holder', ticket: 'payload.registrationId', to: 'pay' },
    refuses: [...checkoutRefusals, 'PAID_TOGETHER'],
    summary:
      'The way to pay a registration: the same session again while it is open. A hold that ended is taken up again.',
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        /** Stripe's own page, where the embedded one cannot load. */
        hosted: z.optional(z.boolean()),
      }),
    }),
    payload: checkout,
  },
  sessionStatus: {
    method: 'GET',
    path: '/api/stripe/sessionStatus',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    asksOutside: true,
    summary: 'What became of a checkout session; what Stripe says is paid is confirmed at once.',
    input: z.strictObject({ sessionId: requiredLine(300) }),
    payload: z.object({
      status: z.enum(['open', 'complete', 'expired']),
      paymentStatus: z.enum(['paid', 'unpaid']),
      registrationId: id,
      qrUuid: z.string(),
      registrationStatus,
    }),
  },
  refund: {
    method: 'POST',
    path: '/api/stripe/refund',
    access: { who: 'admin', event: 'payload.eventId', needs: 'money' },
    refuses: ['NOT_PAID', 'REFUND_TOO_LARGE', 'IDEMPOTENCY_MISMATCH', 'PAYMENTS_OFF'],
    summary:
      'Give money back to the card: all that is left, which cancels the registration, or a part, which does not.',
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        eventId: id,
        /** Minor unit; without it all that is left. */
        amount: allWithout(amount.check(z.positive({ error: texts.moreThanZero }))),
        /** Repeating the key refunds nothing twice. */
        idempotencyKey: z.optional(requiredLine(100)),
      }),
    }),
    payload: registration,
  },
})
