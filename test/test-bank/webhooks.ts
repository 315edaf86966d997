import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Books, newId, seconds } from './books.ts'

/** The API version of the npm package `stripe` for which this bank was written. */
const apiVersion = '2026-10-28.endive'
/** The wait before each attempt, in ms. */
const tries = [0, 50, 200]
const mostMs = 5_000

export interface BankEvent {
  readonly id: string
  readonly type: string
  /** The body as posted. */
  readonly body: string
  /** The number of deliveries that were answered with 2xx. */
  delivered: number
}

export type WebhookMode = 'send' | 'keep' | 'twice' | 'lose'

export interface Webhooks {
  events: BankEvent[]
  tell: Books['tell']
  deliver: (eventId: string) => Promise<number>
  /** Resolves when no delivery is in progress. */
  settled: () => Promise<void>
  stop: () => void
}

/** The value of the header `stripe-signature`. */
export function signatureFor(body: string, secret: string, at: Date): string {
  const t = seconds(at)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

/** Makes the events and posts them. */
export function createWebhooks(options: {
  secret: string
  url: () => string | null
  mode: () => WebhookMode
  now: () => Date
}): Webhooks {
  const { secret, url, mode, now } = options
  const events: BankEvent[] = []
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function post(event: BankEvent): Promise<number> {
    const address = url()
    if (address === null) return 0
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (test bank)',
          'stripe-signature': signatureFor(event.body, secret, now()),
        },
        body: event.body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(mostMs)]),
      })
      await response.body?.cancel()
      if (response.ok) event.delivered += 1
      return response.status
    } catch {
      return 0
    }
  }

  async function send(event: BankEvent): Promise<void> {
    for (const gap of tries) {
      if (gap > 0) await sleep(gap, undefined, { signal: stopping.signal }).catch(() => {})
      const status = stopping.signal.aborted ? 0 : await post(event)
      if (status >= 200 && status < 300) return
    }
  }

  async function handle(event: BankEvent): Promise<void> {
    const now = mode()
    if (now === 'send' || now === 'twice') await send(event)
    if (now === 'twice') await send(event)
  }

  return {
    events,
    tell: (type, object, cause) => {
      const id = newId('evt_1')
      const request = { id: cause?.id ?? null, idempotency_key: cause?.idempotencyKey ?? null }
      const head = { id, object: 'event', api_version: apiVersion, created: seconds(now()), livemode: false }
      // Indented like Stripe's, so that verifying a re-serialized body instead of the received one fails.
      const body = JSON.stringify({ ...head, type, pending_webhooks: 1, request, data: { object } }, null, 2)
      const event = { id, type, body, delivered: 0 }
      events.push(event)
      const sending = handle(event).finally(() => underWay.delete(sending))
      underWay.add(sending)
      return sending
    },
    deliver: (eventId) => {
      const event = events.find(({ id }) => id === eventId)
      if (!event) throw new Error(`The test bank made no event ${eventId}.`)
      return post(event)
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    stop: () => stopping.abort(),
  }
}
