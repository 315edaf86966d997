import { type Insertable, sql, type Updateable } from 'kysely'
import { DELIVERIES_SHOWN } from '../../contract/webhooks.ts'
import type { Db, Tx, WebhookDeliveryRow, WebhookRow } from '../db/schema.ts'
import type { WebhookTable } from '../db/tables/webhooks.ts'
import { deletePortions } from '../records/portion-queries.ts'
import type { ClaimedDelivery } from './claim-queries.ts'
import type { Answer } from './post.ts'

/** How many deliveries one statement deletes. */
const PORTION = 1_000

/** Deletes the deliveries of a webhook, in portions. */
export async function deleteDeliveries(db: Db, webhookId: number): Promise<void> {
  await deletePortions(db, 'webhook_deliveries', sql`webhook_id = ${webhookId}`, PORTION)
}

/** The webhooks of a club, the oldest first. */
export async function listWebhooks(db: Db | Tx, clubId: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('clubId', '=', clubId).orderBy('id').execute()
}

export async function insertWebhook(tx: Tx, webhook: Insertable<WebhookTable>): Promise<WebhookRow> {
  return tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow()
}

/** Changes a webhook of this club; undefined when there is none with this id. */
export async function updateWebhook(
  tx: Tx,
  clubId: number,
  id: number,
  fields: Updateable<WebhookTable>,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhooks')
    .set(fields)
    .where('clubId', '=', clubId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Gives a webhook of this club a new secret; the one before signs too until then. While one still does so, it goes on: of a secret that is replaced
 * twice in a row, the receiver may not have got the one between.
 */
export async function replaceSecret(
  tx: Tx,
  clubId: number,
  id: number,
  { secret, oldSecretUntil, now }: { secret: string; oldSecretUntil: Date; now: Date },
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhooks')
    .set({
      secret,
      oldSecret: sql`case when old_secret_until > ${now} then old_secret else secret end`,
      oldSecretUntil: sql`case when old_secret_until > ${now} then old_secret_until else ${oldSecretUntil}::timestamptz end`,
    })
    .where('clubId', '=', clubId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a webhook of this club with its deliveries; undefined when there is none with this id. */
export async function deleteWebhook(tx: Tx, clubId: number, id: number): Promise<WebhookRow | undefined> {
  return tx.deleteFrom('webhooks').where('clubId', '=', clubId).where('id', '=', id).returningAll().executeTakeFirst()
}

/** The latest deliveries of a webhook of this club, the last first. */
export async function listDeliveries(db: Db, clubId: number, webhookId: number): Promise<WebhookDeliveryRow[]> {
  return db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhookDeliveries.webhookId')
    .selectAll('webhookDeliveries')
    .where('webhooks.clubId', '=', clubId)
    .where('webhookId', '=', webhookId)
    .orderBy('webhookDeliveries.id', 'desc')
    .limit(DELIVERIES_SHOWN)
    .execute()
}

/** Puts a delivery of this club into the queue again, with three more days; undefined when there is none with this id. */
export async function requeueDelivery(tx: Tx, clubId: number, id: number): Promise<WebhookDeliveryRow | undefined> {
  return tx
    .updateTable('webhookDeliveries')
    .set({ status: 'waiting', runAt: null, firstTriedAt: null, attempts: 0 })
    .where('id', '=', id)
    .where('webhookId', 'in', (eb) => eb.selectFrom('webhooks').select('id').where('clubId', '=', clubId))
    .returningAll()
    .executeTakeFirst()
}

/** What waits for a webhook is tried at once, with three days from then. */
export async function tryWaitingAgain(tx: Tx, webhookId: number): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ runAt: null, firstTriedAt: null, attempts: 0 })
    .where('webhookId', '=', webhookId)
    .where('status', '=', 'waiting')
    .execute()
}

/** Queues a message that says nothing; while one waits it is that one. */
export async function queueTest(
  tx: Tx,
  { id: webhookId, clubId }: Pick<WebhookRow, 'id' | 'clubId'>,
  now: Date,
): Promise<WebhookDeliveryRow> {
  const type = 'webhook.test' as const
  const waiting = await tx
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where('type', '=', type)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  if (waiting) return waiting
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data: { clubId, webhookId } })
  return tx.insertInto('webhookDeliveries').values({ webhookId, type, body }).returningAll().executeTakeFirstOrThrow()
}

/** Notes that a message has arrived, if nobody else has taken it up since, and that its webhook works. */
export async function markDelivered(
  db: Db,
  { id, webhookId, attempts }: ClaimedDelivery,
  { answerCode }: Answer,
): Promise<void> {
  await db
    .updateTable('webhookDeliveries')
    .set({ status: 'delivered', runAt: null, lockedUntil: null, answerCode, failure: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
  await db
    .updateTable('webhooks')
    .set({ failingSince: null })
    .where('id', '=', webhookId)
    .where('failingSince', 'is not', null)
    .execute()
}

/** Notes a try that failed, and when the next one is; without one the message is given up. */
export async function markFailedTry(
  tx: Tx,
  { id, attempts }: ClaimedDelivery,
  { runAt, answerCode, failure }: Answer & { runAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set({ status: runAt ? 'waiting' : 'failed', runAt, lockedUntil: null, answerCode, failure })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Notes since when a webhook fails. */
export async function markFailing(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failingSince: now })
    .where('id', '=', id)
    .where('failingSince', 'is', null)
    .execute()
}

/** Pauses a webhook that has failed since then or longer; returns whether it was. */
export async function pauseFailing(tx: Tx, id: number, now: Date, since: Date): Promise<boolean> {
  const paused = await tx
    .updateTable('webhooks')
    .set({ pausedAt: now, pausedBy: 'failing' })
    .where('id', '=', id)
    .where('pausedAt', 'is', null)
    .where('failingSince', '<=', since)
    .returning('id')
    .executeTakeFirst()
  return paused !== undefined
}
