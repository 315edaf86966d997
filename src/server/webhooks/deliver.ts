import { setTimeout as wait } from 'node:timers/promises'
import type { Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim-queries.ts'
import { type Answer, post, TIMEOUT_MS } from './post.ts'
import * as queries from './queries.ts'
import { nextTry } from './schedule.ts'
import { signedHeaders } from './signature.ts'

/** How many messages a server sends at once, and how many of them to one webhook: all of one club are less than half. */
const MOST = 50
const MOST_EACH = 4
/** Longer than a try takes, so that a message is taken by another server only after a crash. */
const LEASE_MS = 3 * TIMEOUT_MS

export interface Deliverer {
  /** Starts to send what is due; returns how many messages that are. */
  start: () => Promise<number>
  /** Waits until one of the messages under way is done, but not longer than this, in ms; false at once when there is none. */
  waitForOne: (ms: number) => Promise<boolean>
  /** Waits until all messages under way are done. */
  waitForAll: () => Promise<void>
}

/** Sends the messages of webhooks. Any number of deliverers, in any number of processes, share the queue. */
export function makeDeliverer(deps: Deps): Deliverer {
  const { db, now, log } = deps
  const underWay = new Map<Promise<void>, number>()

  async function start(): Promise<number> {
    const busy = [...new Set(underWay.values())]
    const limit = MOST - underWay.size
    if (limit <= 0) return 0
    const claimed = await claimDeliveries(db, { now: now(), leaseMs: LEASE_MS, limit, each: MOST_EACH, busy })
    for (const delivery of claimed) {
      const sending = deliver(delivery)
        .catch((error: unknown) => log.error({ err: describeError(error) }, 'state of a webhook message not noted'))
        .finally(() => underWay.delete(sending))
      underWay.set(sending, delivery.webhookId)
    }
    return claimed.length
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { url, body } = delivery
    const headers = signedHeaders(delivery, delivery, now())
    const answer = await post(url, { headers, body, allowLocal: deps.settings.localWebhooks })
    if (answer.answerCode !== null && answer.answerCode >= 200 && answer.answerCode < 300)
      await queries.markDelivered(db, delivery, answer)
    else await noteFailure(delivery, answer)
  }

  async function noteFailure(delivery: ClaimedDelivery, answer: Answer): Promise<void> {
    const at = now()
    const runAt = delivery.type === 'webhook.test' ? null : nextTry(delivery, at)
    const { id, webhookId, attempts } = delivery
    log.warn(
      { deliveryId: id, webhookId, attempts, ...answer, willRetry: runAt !== null },
      'webhook message not delivered',
    )
    await db.transaction().execute(async (tx) => {
      // The webhook first, as by those who remove it or let it go on.
      if (delivery.type !== 'webhook.test') await noteFailing(tx, delivery, { at, isGivenUp: runAt === null })
      await queries.markFailedTry(tx, delivery, { ...answer, runAt })
    })
  }

  /** Notes that the webhook fails. When a message is given up and nothing has arrived since its first try, the webhook is paused. */
  async function noteFailing(
    tx: Tx,
    { webhookId, firstTriedAt }: ClaimedDelivery,
    { at, isGivenUp }: { at: Date; isGivenUp: boolean },
  ): Promise<void> {
    await queries.markFailing(tx, webhookId, at)
    if (!isGivenUp) return
    // The first failure is noted when the first try has ended.
    const isPaused = await queries.pauseFailing(tx, webhookId, at, new Date(firstTriedAt.getTime() + LEASE_MS))
    if (isPaused) log.warn({ webhookId }, 'webhook paused: nothing has arrived for days')
  }

  return {
    start,
    waitForOne: async (ms) => {
      if (underWay.size === 0) return false
      await Promise.race([...underWay.keys(), wait(ms, null, { ref: false })])
      return true
    },
    waitForAll: async () => void (await Promise.all(underWay.keys())),
  }
}
