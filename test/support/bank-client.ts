import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterEach, beforeEach } from 'vitest'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'

export const secretKey = 'sk_test_1'
export const webhookSecret = 'whsec_1'
export const MINUTE = 60_000

// Live bindings: `beforeEach` sets them again, so that each test has its own.
export let bank: TestBank
export let stripe: Stripe
export let hook: Awaited<ReturnType<typeof startHook>>
export const clock = { now: new Date() }

/** Starts the test bank, with Stripe's own client for it, before each test of a file. */
export function setUpTestBank(): void {
  beforeEach(async () => {
    clock.now = new Date()
    hook = await startHook()
    bank = await startTestBank({ secretKey, webhookSecret, webhookUrl: hook.url, now: () => clock.now })
    stripe = clientWith(secretKey)
  })
  afterEach(async () => {
    await bank.stop()
    await hook.stop()
  })
}

export function clientWith(key: string): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port: new URL(bank.url).port, protocol: 'http', maxNetworkRetries: 0 })
}

/** A stand-in for our server: it collects the events whose signature Stripe's own library accepts, and answers with `status`. */
async function startHook() {
  const received: Stripe.Event[] = []
  const heard = { status: 200, posts: 0 }
  const server = createServer(async (request, response) => {
    heard.posts += 1
    const body = await text(request)
    const signature = request.headers['stripe-signature'] ?? ''
    try {
      const event = clientWith(secretKey).webhooks.constructEvent(body, signature, webhookSecret)
      if (heard.status === 200) received.push(event)
      response.writeHead(heard.status).end()
    } catch {
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    heard,
    types: () => received.map(({ type }) => type),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Params = Stripe.Checkout.SessionCreateParams

export const twoTickets: Params = {
  mode: 'payment',
  success_url: 'https://club.example/paid?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://club.example/back',
  line_items: [priced(500, 2)],
  metadata: { registration: '7' },
  payment_intent_data: { metadata: { registration: '7' } },
  customer_email: 'ada@example.org',
  client_reference_id: '7',
}

export function priced(amount: number, quantity = 1, currency = 'eur', name = 'Winter Gala') {
  return { price_data: { currency, unit_amount: amount, product_data: { name } }, quantity }
}

export const open = (changes: Partial<Params> = {}, options: Stripe.RequestOptions = {}) =>
  stripe.checkout.sessions.create({ ...twoTickets, ...changes }, options)

export async function paidSession() {
  const { id } = await open()
  await bank.pay(id)
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(id)
  if (typeof intent !== 'string') throw new Error('Not paid')
  return { id, intent }
}

export const inMinutes = (minutes: number) => Math.floor(clock.now.getTime() / 1000) + minutes * 60
