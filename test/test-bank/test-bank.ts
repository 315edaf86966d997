import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApi } from './api.ts'
import type { Books, Payment, Refund } from './books.ts'
import { urlOf } from './objects.ts'
import { answerPage } from './pages.ts'
import { disputeSession, expireSession, findSession, mustBeOpen, paySession } from './sessions.ts'
import { type BankEvent, createWebhooks, signatureFor, type WebhookMode } from './webhooks.ts'

export { signatureFor }

interface Behaviour {
  /** `fail` answers 500, `drop` handles the request and closes without an answer, `refuse` closes before handling it. */
  api: 'work' | 'fail' | 'drop' | 'refuse'
  /** The delay between handling a request and answering it, in ms. */
  delayMs: number
  /** `send` tries up to three times, `keep` leaves it to `deliver`, `twice` sends each event again, `lose` sends none. */
  webhooks: WebhookMode
  /** Whether the account has the money for refunds. */
  balance: 'enough' | 'empty'
}

interface BankSession {
  id: string
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'unpaid' | 'paid'
  /** Minor units. */
  amountTotal: number
  currency: string
  paymentIntent: string | null
  metadata: Record<string, string>
  url: string | null
  clientSecret: string | null
  expiresAt: Date
}

interface BankRefund {
  id: string
  paymentIntent: string
  amount: number
  status: 'succeeded'
  metadata: Record<string, string>
}

interface LedgerEntry {
  paymentIntent: string
  sessionId: string
  charged: number
  refunded: number
  currency: string
  metadata: Record<string, string>
}

export interface TestBank {
  url: string
  /** Sets how it handles requests and events from now on. */
  behave: (next: Partial<Behaviour>) => void
  /** Pays as a visitor on the pay page. Throws if the session is not open; resolves when its event was delivered or given up. */
  pay: (sessionId: string) => Promise<void>
  /** Simulates a refused card: the session stays open. */
  decline: (sessionId: string) => void
  /** Expires the session as if its time had passed. */
  expire: (sessionId: string) => Promise<void>
  dispute: (sessionId: string) => Promise<void>
  /** Every event made, in order. */
  events: BankEvent[]
  /** Posts an event, signed now; returns the HTTP status, 0 without a connection or an address. */
  deliver: (eventId: string) => Promise<number>
  /** Resolves when no delivery is in progress. */
  settled: () => Promise<void>
  /** The requests to the API, as `GET /v1/…`. */
  requests: () => readonly string[]
  sessions: () => readonly BankSession[]
  refunds: () => readonly BankRefund[]
  /** The amounts charged and refunded for each payment intent, in minor units. */
  ledger: () => readonly LedgerEntry[]
  setWebhookUrl: (url: string) => void
  stop: () => Promise<void>
}

export interface TestBankOptions {
  secretKey: string
  webhookSecret: string
  /** Null if it is set later by `setWebhookUrl`; until then events are made but not sent. */
  webhookUrl: string | null
  port?: number
  now?: () => Date
}

/** Starts a bank that answers like Stripe's API, over HTTP and in memory. No real money moves. */
export async function startTestBank(options: TestBankOptions): Promise<TestBank> {
  const { secretKey, webhookSecret, now = () => new Date() } = options
  let { webhookUrl } = options
  const requests: string[] = []
  const behaviour: Behaviour = { api: 'work', delayMs: 0, webhooks: 'send', balance: 'enough' }

  const server = createServer().listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The test bank has no port.')
  const url = `http://127.0.0.1:${address.port}`

  const webhooks = createWebhooks({
    secret: webhookSecret,
    url: () => webhookUrl,
    mode: () => behaviour.webhooks,
    now,
  })
  const books: Books = {
    url,
    now,
    hasBalance: () => behaviour.balance === 'enough',
    sessions: new Map(),
    payments: new Map(),
    refunds: new Map(),
    tell: webhooks.tell,
  }
  const answerApi = createApi(books, secretKey)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', url)
    const method = request.method ?? 'GET'
    const body = await text(request)
    if (!pathname.startsWith('/v1/')) {
      const page = await answerPage(books, method, pathname, search)
      response.writeHead(page.status, page.headers).end(page.body)
      return
    }
    requests.push(`${method} ${pathname}`)
    const { api, delayMs } = { ...behaviour }
    if (api === 'refuse') return void request.socket.destroy()
    const answered = api === 'fail' ? failure : answerApi(apiRequest(request, method, pathname, search, body))
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false })
    if (api === 'drop') return void request.socket.destroy()
    response.writeHead(answered.status, answered.headers).end(answered.body)
  }

  server.on('request', (request, response) => {
    // A visitor who left, a bank that stops, or a bug here: the client gets a broken connection.
    answer(request, response).catch(() => request.socket.destroy())
  })

  return {
    url,
    behave: (next) => void Object.assign(behaviour, next),
    pay: async (id) => paySession(books, findSession(books, id)),
    decline: (id) => mustBeOpen(findSession(books, id)),
    expire: async (id) => expireSession(books, books.sessions.get(id) ?? findSession(books, id)),
    dispute: async (id) => disputeSession(books, findSession(books, id)),
    events: webhooks.events,
    deliver: webhooks.deliver,
    settled: webhooks.settled,
    requests: () => requests,
    sessions: () => [...books.sessions.keys()].map((id) => sessionView(books, id)),
    refunds: () => [...books.refunds.values()].map(refundView),
    ledger: () => [...books.payments.values()].map(ledgerEntry),
    setWebhookUrl: (next) => {
      webhookUrl = next
    },
    stop: async () => {
      webhooks.stop()
      server.close()
      server.closeAllConnections()
      await webhooks.settled()
    },
  }
}

const failure = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { type: 'api_error', message: 'The test bank was told to fail.' } }),
}

function apiRequest(request: IncomingMessage, method: string, path: string, query: string, body: string) {
  const key = request.headers['idempotency-key']
  const idempotencyKey = typeof key === 'string' && key !== '' ? key : null
  return { method, path, query, body, authorization: request.headers.authorization, idempotencyKey }
}

function sessionView(books: Books, id: string): BankSession {
  const session = findSession(books, id)
  return {
    id,
    status: session.status,
    paymentStatus: session.payment ? 'paid' : 'unpaid',
    amountTotal: session.amountTotal,
    currency: session.currency,
    paymentIntent: session.payment?.id ?? null,
    metadata: session.metadata,
    url: urlOf(session, books.url),
    clientSecret: session.clientSecret,
    expiresAt: new Date(session.expiresAt * 1000),
  }
}

function refundView({ id, payment, amount, metadata }: Refund): BankRefund {
  return { id, paymentIntent: payment.id, amount, status: 'succeeded', metadata }
}

function ledgerEntry(payment: Payment): LedgerEntry {
  const { id, sessionId, amount, refunded, currency, metadata } = payment
  return { paymentIntent: id, sessionId, charged: amount, refunded, currency, metadata }
}
