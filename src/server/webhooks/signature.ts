import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { WebhookDeliveryRow, WebhookRow } from '../db/schema.ts'

type Secrets = Pick<WebhookRow, 'secret' | 'oldSecret' | 'oldSecretUntil'>

/** A new secret, as Standard Webhooks writes it: 256 random bits in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The headers of a message by Standard Webhooks. For a day after a new secret there are two signatures, one with each. */
export function signedHeaders(
  { messageId, body }: Pick<WebhookDeliveryRow, 'messageId' | 'body'>,
  { secret, oldSecret, oldSecretUntil }: Secrets,
  now: Date,
): Record<string, string> {
  const secrets = oldSecret && oldSecretUntil && oldSecretUntil > now ? [secret, oldSecret] : [secret]
  return {
    'content-type': 'application/json',
    'user-agent': 'Turnout',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(messageId, now, body)).join(' '),
  }
}
