import { sql } from 'kysely'
import { SLACK_MS } from '../db/is-due.ts'
import type { Db, WebhookDeliveryRow, WebhookRow } from '../db/schema.ts'
import { LONGEST_GAP_MS } from './schedule.ts'

/** A message that is due, with what it takes to send it. */
export type ClaimedDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'webhookId' | 'messageId' | 'type' | 'body' | 'attempts'
> &
  Pick<WebhookRow, 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil'> & { firstTriedAt: Date }

interface Claim {
  now: Date
  /** How long no other server takes them, in ms. */
  leaseMs: number
  limit: number
  /** How many of one webhook. */
  each: number
  /** Webhooks that this server is busy with. */
  busy: readonly number[]
}

/**
 * Takes due messages, the oldest of each webhook first. A webhook that fails gets one at a time, so that it does not keep those of others
 * waiting. Any number of servers may do so at once.
 */
export async function claimDeliveries(db: Db, { now, leaseMs, limit, each, busy }: Claim): Promise<ClaimedDelivery[]> {
  const after = (ms: number) => new Date(now.getTime() + ms + SLACK_MS)
  // What is due or leased for longer than possible was dated by a clock that was wrong.
  const at = sql`coalesce(run_at, '-infinity'::timestamptz)`
  const isFree = sql`status = 'waiting' and (locked_until is null or locked_until <= ${now} or locked_until > ${after(leaseMs)})`
  const isLate = sql`${at} <= ${now}`
  const isWrong = sql`${at} > ${after(LONGEST_GAP_MS)}`
  // Each part is a range of an index: what waits for a paused webhook, or for its next try, is not read.
  const { rows } = await sql<ClaimedDelivery>`
    with chosen as (
      select due.id from webhooks w join clubs c on c.id = w.club_id and c.removed_at is null
      cross join lateral (
        (
          select id from webhook_deliveries where webhook_id = w.id and w.paused_at is null and ${isFree} and ${isLate}
          order by ${at}, id limit case when w.failing_since is null then ${each}::int else 1 end
        ) union all (
          select id from webhook_deliveries where webhook_id = w.id and w.paused_at is null and ${isFree} and ${isWrong} order by ${at}, id limit 1
        ) union all (
          select id from webhook_deliveries
          where webhook_id = w.id and w.paused_at is not null and type = 'webhook.test' and ${isFree} and (${isLate} or ${isWrong}) limit 1
        )
      ) due
      where w.id <> all(${[...busy]}::int[])
      order by random() limit ${limit}
    ),
    free as (
      select id from webhook_deliveries where id in (select id from chosen) and ${isFree} and (${isLate} or ${isWrong}) for update skip locked
    )
    update webhook_deliveries d set locked_until = ${new Date(now.getTime() + leaseMs)}, last_tried_at = ${now},
      first_tried_at = coalesce(first_tried_at, ${now}), attempts = attempts + 1
    from webhooks w where w.id = d.webhook_id and d.id in (select id from free)
    returning d.id, d.webhook_id, d.message_id, d.type, d.body, d.attempts, d.first_tried_at, w.url, w.secret, w.old_secret, w.old_secret_until
  `.execute(db)
  return rows
}
