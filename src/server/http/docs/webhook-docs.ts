import { webhookData } from '../../../contract/webhooks.ts'
import { type JsonSchema, wireSchema } from './wire-schema.ts'

/** A message of a webhook, for the reference. */
export interface WebhookDoc {
  type: string
  /** When it is sent. */
  summary: string
  /** Its body. */
  schema: JsonSchema
}

/** When each type of message is sent, for the reference. */
const summaries: Readonly<Record<keyof typeof webhookData, string>> = {
  'registration.created':
    'Somebody has registered, or was added; also when a cancelled registration counts again. While its `status` is `pending` it waits to be paid.',
  'registration.cancelled': 'A registration was cancelled or removed; `reason` says by what.',
  'ticket.checked_in':
    'A ticket was checked in. A phone without network tells it later; `checkedInAt` is the time at the door.',
  'payment.received': 'A card payment has arrived. A `pending` registration is confirmed with it.',
  'payment.refunded': 'Stripe has accepted a refund of a payment or of a part of it.',
  'webhook.test': 'Somebody pressed “Send a test”.',
}

/** How messages are sent and verified, a paragraph each, with code in backticks. */
export const webhookNotes: readonly string[] = [
  'A club’s owners add webhooks in the settings of the club, each for some types of messages. Turnout then sends a `POST` with JSON for each event: `{ type, timestamp, data }`. `data` has ids, states and amounts and no personal data; read the rest with an API token, such as the registration with `/api/registration/getRegistration`.',
  'Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) describes: verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with the secret (`whsec_…`) and one of its libraries, such as `standardwebhooks`. For 24 hours after a new secret there are two signatures.',
  'Answer with a status of 2xx within 10 seconds. After anything else, also a redirect, the message is sent again: after 10 seconds, then four times as long each time, up to six hours, for three days. A message may come more than once, always with the same `webhook-id`, and messages may come in another order than the events.',
]

/** Every type of message. */
export function webhookDocs(): WebhookDoc[] {
  return Object.entries(webhookData).map(([type, data]) => ({
    type,
    summary: summaryOf(type),
    schema: {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { const: type },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        data: wireSchema(data),
      },
    },
  }))
}

const summaryOf = (type: string): string => new Map(Object.entries(summaries)).get(type) ?? ''

/** The same as a section of an OpenAPI document. */
export function webhookSection(): JsonSchema {
  return Object.fromEntries(
    webhookDocs().map(({ type, summary, schema }) => [
      type,
      {
        post: {
          operationId: `webhooks.${type}`,
          tags: ['webhooks'],
          summary,
          description: webhookNotes.join('\n\n'),
          security: [],
          parameters: headers.map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'The message has arrived.' },
            '4XX': { description: 'It is sent again later, as after any other answer.' },
          },
        },
      },
    ]),
  )
}

const headers = [
  ['webhook-id', 'The id of the message, the same on each try.'],
  ['webhook-timestamp', 'When this try was made, in seconds since 1970.'],
  ['webhook-signature', 'One or two signatures with a space between.'],
] as const
