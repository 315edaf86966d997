import * as z from 'zod/mini'
import * as texts from '../texts/generated/webhookInput.ts'
import { api } from './endpoint.ts'
import { id, idText, moment } from './values/fields.ts'

/** What a webhook can be told of. */
export const webhookTypes = [
  'registration.created',
  'registration.cancelled',
  'ticket.checked_in',
  'payment.received',
  'payment.refunded',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** How many webhooks a club has at most. */
export const MOST_WEBHOOKS = 5

/** How many deliveries the log shows. */
export const DELIVERIES_SHOWN = 50

const clubId = id
const registration = {
  clubId,
  eventId: id,
  registrationId: id,
  status: z.enum(['pending', 'confirmed', 'cancelled']),
  /** What the ticket costs, in the smallest unit of the currency. */
  amount: z.int(),
  currency: z.string(),
}
const payment = {
  /** Null where it has been removed since. */
  clubId: z.nullable(clubId),
  eventId: z.nullable(id),
  registrationId: z.nullable(id),
  paymentId: id,
  amount: z.int(),
  currency: z.string(),
}

/** What is sent with each type of message as its `data`: ids, states and amounts, no personal data. */
export const webhookData = {
  'registration.created': z.object(registration),
  'registration.cancelled': z.object({
    ...registration,
    reason: z.nullable(z.enum(['hold ended', 'staff', 'holder', 'refund'])),
  }),
  'ticket.checked_in': z.object({ clubId, eventId: id, registrationId: id, checkedInAt: moment }),
  'payment.received': z.object(payment),
  'payment.refunded': z.object({ ...payment, refundId: id }),
  'webhook.test': z.object({ clubId, webhookId: id }),
} as const satisfies Record<WebhookType | 'webhook.test', z.ZodMiniType>

const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why there was no answer: the address is not a public one, it took too long, or no connection came about. */
const deliveryFailures = ['address', 'timeout', 'unreachable'] as const
export type DeliveryFailure = (typeof deliveryFailures)[number]

const webhook = z.object({
  id,
  url: z.string(),
  events: z.array(z.enum(webhookTypes)),
  pausedAt: z.nullable(moment),
  /** Whether the team paused it, or the server because nothing arrived for days. */
  pausedBy: z.nullable(z.enum(['team', 'failing'])),
  /** Since when no message arrived; null while none failed. */
  failingSince: z.nullable(moment),
  /** Until when the secret before the current one signs too. */
  oldSecretUntil: z.nullable(moment),
  createdAt: moment,
})
export type Webhook = z.output<typeof webhook>

const delivery = z.object({
  id,
  messageId: z.string(),
  type: z.enum([...webhookTypes, 'webhook.test']),
  status: z.enum(deliveryStatuses),
  createdAt: moment,
  attempts: z.int(),
  lastTriedAt: z.nullable(moment),
  /** When it is tried next; null: at once, or never again. */
  runAt: z.nullable(moment),
  /** The HTTP status of the last answer; null: there was none. */
  answerCode: z.nullable(z.int()),
  failure: z.nullable(z.enum(deliveryFailures)),
  /** What is sent. */
  body: z.string(),
})
export type Delivery = z.output<typeof delivery>

/** A web address without a name, a password or a fragment. What else it must be, the server checks. */
const url = /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/i

/** What somebody fills in about a webhook. */
export const webhookFields = z.strictObject({
  url: z.string().check(z.trim(), z.maxLength(500), z.regex(url, { error: texts.urlNeeded })),
  events: z
    .array(z.enum(webhookTypes))
    .check(z.minLength(1, { error: texts.eventNeeded }), z.maxLength(webhookTypes.length)),
})

const ofClub = z.strictObject({ payload: z.strictObject({ clubId: id, id }) })

export const webhookApi = api({
  getWebhooks: {
    method: 'GET',
    path: '/api/webhook/getWebhooks',
    access: { who: 'admin', club: 'clubId', needs: 'club' },
    summary: 'The webhooks of a club.',
    input: z.strictObject({ clubId: idText }),
    payload: z.array(webhook),
  },
  saveWebhook: {
    method: 'POST',
    path: '/api/webhook/saveWebhook',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club', fresh: true },
    summary: `Add a webhook, at most ${MOST_WEBHOOKS} in a club, or edit the one with this \`id\`. The secret of a new one is answered this once.`,
    input: z.strictObject({ payload: z.extend(webhookFields, { clubId: id, id: z.optional(id) }) }),
    payload: z.object({ webhook, secret: z.nullable(z.string()) }),
  },
  rollSecret: {
    method: 'POST',
    path: '/api/webhook/rollSecret',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club', fresh: true },
    summary: 'Give a webhook a new secret, which is answered this once. The one before signs too for 24 hours.',
    input: ofClub,
    payload: z.object({ webhook, secret: z.string() }),
  },
  pauseWebhook: {
    method: 'POST',
    path: '/api/webhook/pauseWebhook',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club' },
    summary: 'Pause a webhook, or let it go on. What happens in between waits, for up to 30 days.',
    input: z.strictObject({ payload: z.strictObject({ clubId: id, id, isPaused: z.boolean() }) }),
    payload: webhook,
  },
  removeWebhook: {
    method: 'POST',
    path: '/api/webhook/removeWebhook',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club' },
    summary: 'Remove a webhook with its deliveries.',
    input: ofClub,
    payload: z.null(),
  },
  getDeliveries: {
    method: 'GET',
    path: '/api/webhook/getDeliveries',
    access: { who: 'admin', club: 'clubId', needs: 'club' },
    summary: `The latest ${DELIVERIES_SHOWN} deliveries of a webhook, the last first. They are kept for 30 days.`,
    input: z.strictObject({ clubId: idText, webhookId: idText }),
    payload: z.array(delivery),
  },
  sendAgain: {
    method: 'POST',
    path: '/api/webhook/sendAgain',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club' },
    summary: 'Send a delivery again, with the same id and body.',
    input: ofClub,
    payload: delivery,
  },
  sendTest: {
    method: 'POST',
    path: '/api/webhook/sendTest',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club' },
    summary: 'Send a message of the type `webhook.test`, once, also while the webhook is paused.',
    input: ofClub,
    payload: delivery,
  },
})
