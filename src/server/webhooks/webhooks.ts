import type * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import {
  type Delivery,
  MOST_WEBHOOKS,
  type Webhook,
  type webhookApi,
  type webhookFields,
} from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import type { Tx, WebhookDeliveryRow, WebhookRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockClub } from '../records/club-queries.ts'
import { isAllowedUrl } from './post.ts'
import * as queries from './queries.ts'
import { newSecret } from './signature.ts'

/** How long the secret before a new one signs too, in ms. */
const OVERLAP_MS = 24 * 60 * 60_000

/** Who does it, to whose webhooks. */
interface Actor {
  caller: Caller
  club: OwnClub
}

/** A webhook as its club sees it: without its secrets. */
export function toWebhook(row: WebhookRow): Webhook {
  const { id, url, events, pausedAt, pausedBy, failingSince, oldSecretUntil, createdAt } = row
  return { id, url, events, pausedAt, pausedBy, failingSince, oldSecretUntil, createdAt }
}

/** A delivery as the log shows it. */
export function toDelivery(row: WebhookDeliveryRow): Delivery {
  const { id, messageId, type, status, createdAt, attempts, lastTriedAt, runAt, answerCode, failure, body } = row
  return { id, messageId, type, status, createdAt, attempts, lastTriedAt, runAt, answerCode, failure, body }
}

const wrongUrl = (msg: Message) => new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.url', msg }] })

/** Adds a webhook, with its secret, or edits one. Refuses with NOT_FOUND, and with INVALID_INPUT at the address. */
export async function saveWebhook(
  { db, now, settings }: Deps,
  actor: Actor,
  { id, url, events }: Input<typeof webhookApi.saveWebhook>['payload'],
) {
  if (!isAllowedUrl(url, settings.localWebhooks)) throw wrongUrl(texts.webhookNotPublic)
  const fields = { url, events: [...new Set(events)] }
  return db.transaction().execute(async (tx) => {
    if (id !== undefined) {
      const row = found(await queries.updateWebhook(tx, actor.club.id, id, fields))
      await log(tx, now(), actor, { action: 'webhook edited', row })
      return { webhook: toWebhook(row), secret: null }
    }
    return addWebhook(tx, now(), actor, fields)
  })
}

async function addWebhook(tx: Tx, now: Date, actor: Actor, fields: z.output<typeof webhookFields>) {
  const clubId = actor.club.id
  // Those who add several at once wait for each other here, so that they are counted.
  if (!(await lockClub(tx, clubId))) throw new Refusal('NOT_FOUND')
  const { length } = await queries.listWebhooks(tx, clubId)
  if (length >= MOST_WEBHOOKS) throw wrongUrl(() => texts.tooManyWebhooks({ count: MOST_WEBHOOKS }))
  const row = await queries.insertWebhook(tx, { ...fields, clubId, secret: newSecret(), createdAt: now })
  await log(tx, now, actor, { action: 'webhook added', row })
  return { webhook: toWebhook(row), secret: row.secret }
}

/** Gives a webhook a new secret. Refuses with NOT_FOUND. */
export async function rollSecret({ db, now }: Deps, actor: Actor, id: number) {
  const secrets = { secret: newSecret(), oldSecretUntil: new Date(now().getTime() + OVERLAP_MS), now: now() }
  return db.transaction().execute(async (tx) => {
    const row = found(await queries.replaceSecret(tx, actor.club.id, id, secrets))
    await log(tx, now(), actor, { action: 'webhook secret replaced', row })
    return { webhook: toWebhook(row), secret: row.secret }
  })
}

/** Pauses a webhook, or lets it go on with what has waited. Refuses with NOT_FOUND. */
export async function pauseWebhook(
  { db, now }: Deps,
  actor: Actor,
  { id, isPaused }: { id: number; isPaused: boolean },
) {
  const fields = isPaused
    ? { pausedAt: now(), pausedBy: 'team' as const }
    : { pausedAt: null, pausedBy: null, failingSince: null }
  return db.transaction().execute(async (tx) => {
    const row = found(await queries.updateWebhook(tx, actor.club.id, id, fields))
    if (!isPaused) await queries.tryWaitingAgain(tx, id)
    await log(tx, now(), actor, { action: isPaused ? 'webhook paused' : 'webhook resumed', row })
    return toWebhook(row)
  })
}

/** Removes a webhook with its deliveries. Refuses with NOT_FOUND. */
export async function removeWebhook({ db, now }: Deps, actor: Actor, id: number): Promise<void> {
  const paused = { pausedAt: now(), pausedBy: 'team' as const }
  found(await db.transaction().execute((tx) => queries.updateWebhook(tx, actor.club.id, id, paused)))
  // There may be more than one statement can delete in its time. Should this stop half-way, the webhook is paused and can be removed again.
  await queries.deleteDeliveries(db, id)
  await db.transaction().execute(async (tx) => {
    const row = found(await queries.deleteWebhook(tx, actor.club.id, id))
    await log(tx, now(), actor, { action: 'webhook removed', row })
  })
}

/** Sends a delivery again. Refuses with NOT_FOUND. */
export async function sendAgain({ db }: Deps, { club }: Actor, id: number): Promise<Delivery> {
  return db.transaction().execute(async (tx) => toDelivery(found(await queries.requeueDelivery(tx, club.id, id))))
}

/** Queues a test. Refuses with NOT_FOUND. */
export async function sendTest({ db, now }: Deps, { club }: Actor, id: number): Promise<Delivery> {
  return db.transaction().execute(async (tx) => {
    // Its row is locked, so that of several at once there is one test.
    const webhook = found(await queries.updateWebhook(tx, club.id, id, { clubId: club.id }))
    return toDelivery(await queries.queueTest(tx, webhook, now()))
  })
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Refusal('NOT_FOUND')
  return row
}

/** Writes it to the log of changes with the host alone: the rest of an address may be a secret of the receiver. */
async function log(
  tx: Tx,
  now: Date,
  { caller, club }: Actor,
  { action, row }: { action: string; row: WebhookRow },
): Promise<void> {
  const after = { name: new URL(row.url).host }
  await logChange(tx, now, { clubId: club.id, userId: caller.id, subject: 'club', subjectId: club.id, action, after })
}
