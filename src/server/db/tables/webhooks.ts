import type { ColumnType, Generated } from 'kysely'
import type { DeliveryFailure, DeliveryStatus, WebhookType } from '../../../contract/webhooks.ts'

/** An address of a club's program that is told what happens. */
export interface WebhookTable {
  id: Generated<number>
  clubId: number
  url: string
  events: ColumnType<WebhookType[], WebhookType[], WebhookType[]>
  /** Signs each message, so it is not a hash. */
  secret: string
  /** The one before, which signs too until then. */
  oldSecret: ColumnType<string | null, undefined, string | null>
  oldSecretUntil: ColumnType<Date | null, undefined, Date | null>
  pausedAt: ColumnType<Date | null, undefined, Date | null>
  pausedBy: ColumnType<'team' | 'failing' | null, undefined, 'team' | 'failing' | null>
  /** Since when no try succeeded; null while none failed. */
  failingSince: ColumnType<Date | null, undefined, Date | null>
  createdAt: Date
}

/** A message to a webhook. Triggers write it in the transaction of the event. */
export interface WebhookDeliveryTable {
  id: Generated<number>
  webhookId: number
  /** The same on each try. */
  messageId: Generated<string>
  type: WebhookType | 'webhook.test'
  body: string
  status: Generated<DeliveryStatus>
  createdAt: Generated<Date>
  attempts: Generated<number>
  /** When it is tried next; null: at once. */
  runAt: Date | null
  lockedUntil: Date | null
  firstTriedAt: Date | null
  lastTriedAt: Date | null
  /** The HTTP status of the last answer. */
  answerCode: number | null
  failure: DeliveryFailure | null
}
