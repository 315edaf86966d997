import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signatureFor, startTestBank, type TestBank } from '../test-bank/test-bank.ts'

const secretKey = 'sk_test_1'
const webhookSecret = 'whsec_1'
const minute = 60_000

let bank: TestBank
let stripe: Stripe
let hook: Awaited<ReturnType<typeof startHook>>
let clock: Date

beforeEach(async () => {
  clock = new Date()
  hook = await startHook()
  bank = await startTestBank({ secretKey, webhookSecret, webhookUrl: hook.url, now: () => clock })
  stripe = clientWith(secretKey)
})
afterEach(async () => {
  await bank.stop()
  await hook.stop()
})

function clientWith(key: string): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port: new URL(bank.url).port, protocol: 'http', maxNetworkRetries: 0 })
}

/** What our server would be: it keeps the events that Stripe's own library finds rightly signed, and answers `status`. */
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

type Params = Stripe.Checkout.SessionCreateParams

const twoTickets: Params = {
  mode: 'payment',
  success_url: 'https://club.example/paid?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://club.example/back',
  line_items: [priced(500, 2)],
  metadata: { registration: '7' },
  payment_intent_data: { metadata: { registration: '7' } },
  customer_email: 'ada@example.org',
  client_reference_id: '7',
}

function priced(amount: number, quantity = 1, currency = 'eur', name = 'Winter Gala') {
  return { price_data: { currency, unit_amount: amount, product_data: { name } }, quantity }
}

const open = (changes: Partial<Params> = {}, options: Stripe.RequestOptions = {}) =>
  stripe.checkout.sessions.create({ ...twoTickets, ...changes }, options)

async function paidSession() {
  const { id } = await open()
  await bank.pay(id)
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(id)
  if (typeof intent !== 'string') throw new Error('Not paid')
  return { id, intent }
}

const inMinutes = (minutes: number) => Math.floor(clock.getTime() / 1000) + minutes * 60

describe('checkout sessions', () => {
  test('a hosted session is opened, paid once, told to the webhook and found again', async () => {
    const session = await open()
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 1000,
      currency: 'eur',
      url: `${bank.url}/pay/${session.id}`,
      client_secret: null,
      customer_email: 'ada@example.org',
      client_reference_id: '7',
      metadata: { registration: '7' },
      expires_at: inMinutes(24 * 60),
    })
    expect(session.id).toMatch(/^cs_test_\w{50,}$/)

    const twice = await Promise.allSettled([bank.pay(session.id), bank.pay(session.id)])

    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const paid = await stripe.checkout.sessions.retrieve(session.id)
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(hook.received).toMatchObject([
      {
        type: 'checkout.session.completed',
        livemode: false,
        data: { object: { id: session.id, payment_intent: paid.payment_intent, metadata: { registration: '7' } } },
      },
    ])
    const intent = await stripe.paymentIntents.retrieve(String(paid.payment_intent))
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1000, metadata: { registration: '7' } })
    const charge = await stripe.charges.retrieve(String(intent.latest_charge))
    expect(charge).toMatchObject({ amount: 1000, amount_refunded: 0, refunded: false, payment_intent: intent.id })
    expect(bank.ledger()).toEqual([
      {
        paymentIntent: intent.id,
        sessionId: session.id,
        charged: 1000,
        refunded: 0,
        currency: 'eur',
        metadata: { registration: '7' },
      },
    ])
  })

  test('an embedded session has a client secret and no address', async () => {
    const { success_url: _success, cancel_url: _cancel, ...rest } = twoTickets
    const session = await stripe.checkout.sessions.create({
      ...rest,
      ui_mode: 'embedded_page',
      return_url: 'https://club.example/return?s={CHECKOUT_SESSION_ID}',
    })
    expect(session).toMatchObject({ ui_mode: 'embedded_page', url: null, success_url: null })
    expect(session.client_secret).toMatch(new RegExp(`^${session.id}_secret_`))
    await bank.pay(session.id)
    expect(bank.sessions()).toMatchObject([{ id: session.id, paymentStatus: 'paid', url: null }])
  })

  test.each<[string, Partial<Params>, string]>([
    ['a negative amount', { line_items: [priced(-1)] }, 'line_items[0][price_data][unit_amount]'],
    ['half a cent', { line_items: [priced(0.5)] }, 'line_items[0][price_data][unit_amount]'],
    ['no quantity', { line_items: [{ price_data: priced(1).price_data }] }, 'line_items'],
    ['no items', { line_items: [] }, 'line_items'],
    ['two currencies', { line_items: [priced(1), priced(1, 1, 'usd')] }, 'line_items'],
    ['a total of nothing', { line_items: [priced(0)] }, 'line_items'],
    ['a currency that is none', { line_items: [priced(1, 1, 'zzz')] }, 'line_items[0][price_data][currency]'],
    ['29 minutes', { expires_at: Math.floor(Date.now() / 1000) + 29 * 60 }, 'expires_at'],
    ['25 hours', { expires_at: Math.floor(Date.now() / 1000) + 25 * 3600 }, 'expires_at'],
    ['an address that is no page', { success_url: 'javascript:alert(1)' }, 'success_url'],
    ['an embedded one with a success address', { ui_mode: 'embedded_page' }, 'success_url'],
    ['the old name of the mode', { ui_mode: 'hosted' }, 'ui_mode'],
    ['an expansion', { expand: ['payment_intent'] }, 'expand'],
    ['long metadata', { metadata: { a: 'x'.repeat(501) } }, 'metadata'],
  ])('%s is refused', async (_what, changes, param) => {
    await expect(open(changes)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      param,
    })
    expect(bank.sessions()).toEqual([])
  })

  test('exactly 30 minutes is accepted, one second less is not', async () => {
    await expect(open({ expires_at: inMinutes(30) - 1 })).rejects.toMatchObject({ statusCode: 400 })
    await expect(open({ expires_at: inMinutes(30) })).resolves.toMatchObject({ expires_at: inMinutes(30) })
  })

  test('an open session can be expired, and not paid afterwards; a closed one cannot', async () => {
    const { id } = await open()
    await expect(stripe.checkout.sessions.expire(id)).resolves.toMatchObject({ status: 'expired', url: null })
    await bank.settled()
    expect(hook.types()).toEqual(['checkout.session.expired'])
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 })
    await expect(bank.pay(id)).rejects.toThrow('expired')
    expect(() => bank.decline(id)).toThrow('expired')

    const { id: paid } = await paidSession()
    await expect(stripe.checkout.sessions.expire(paid)).rejects.toThrow('`complete`')
    await expect(bank.expire(paid)).rejects.toThrow('`complete`')
  })

  test('time expires a session, and tells it once', async () => {
    const { id } = await open({ expires_at: inMinutes(30) })
    clock = new Date(clock.getTime() + 30 * minute)
    await expect(stripe.checkout.sessions.retrieve(id)).resolves.toMatchObject({ status: 'expired' })
    await expect(bank.pay(id)).rejects.toThrow('expired')
    expect(bank.sessions()).toMatchObject([{ status: 'expired', paymentStatus: 'unpaid' }])
    expect(bank.events.map(({ type }) => type)).toEqual(['checkout.session.expired'])
    expect(bank.ledger()).toEqual([])

    const { id: other } = await open()
    await bank.expire(other)
    expect(hook.received.at(-1)).toMatchObject({ type: 'checkout.session.expired', data: { object: { id: other } } })
  })

  test('a wrong key and unknown ids are refused', async () => {
    await expect(clientWith('sk_test_2').checkout.sessions.create(twoTickets)).rejects.toMatchObject({
      statusCode: 401,
      type: 'StripeAuthenticationError',
    })
    expect(bank.sessions()).toEqual([])
    const none = { statusCode: 404, code: 'resource_missing', type: 'StripeInvalidRequestError' }
    await expect(stripe.checkout.sessions.retrieve('cs_test_x')).rejects.toMatchObject(none)
    await expect(stripe.checkout.sessions.expire('cs_test_x')).rejects.toMatchObject(none)
    await expect(stripe.paymentIntents.retrieve('pi_x')).rejects.toMatchObject(none)
    await expect(stripe.charges.retrieve('ch_x')).rejects.toMatchObject(none)
    await expect(stripe.refunds.retrieve('re_x')).rejects.toMatchObject(none)
    await expect(stripe.refunds.create({ payment_intent: 'pi_x' })).rejects.toMatchObject(none)
  })
})

describe('refunds', () => {
  test('a part, more than is left, the rest, and nothing more', async () => {
    const { intent } = await paidSession()
    const part = await stripe.refunds.create({
      payment_intent: intent,
      amount: 300,
      reason: 'requested_by_customer',
      metadata: { why: 'rain' },
    })
    expect(part).toMatchObject({ object: 'refund', status: 'succeeded', amount: 300, payment_intent: intent })

    await expect(stripe.refunds.create({ payment_intent: intent, amount: 701 })).rejects.toThrow(
      'Refund amount (€7.01) is greater than unrefunded amount on charge (€7.00)',
    )
    const rest = await stripe.refunds.create({ payment_intent: intent })
    expect(rest.amount).toBe(700)
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    })

    expect(bank.ledger()).toMatchObject([{ charged: 1000, refunded: 1000 }])
    expect(bank.refunds().map(({ amount }) => amount)).toEqual([300, 700])
    expect((await stripe.refunds.retrieve(part.id)).metadata).toEqual({ why: 'rain' })
    await bank.settled()
    expect(hook.types().sort()).toEqual([
      ...['charge.refunded', 'charge.refunded', 'checkout.session.completed', 'refund.created', 'refund.created'],
    ])
    expect(bank.events.map(({ type, body }) => [type, JSON.parse(body).data.object.refunded])).toContainEqual([
      'charge.refunded',
      false,
    ])
    expect(JSON.parse(bank.events.at(-1)?.body ?? '')).toMatchObject({
      type: 'charge.refunded',
      data: { object: { amount: 1000, amount_refunded: 1000, refunded: true, payment_intent: intent } },
    })
  })

  test('are listed by payment, the newest first, in pages', async () => {
    const { intent } = await paidSession()
    const { intent: other } = await paidSession()
    for (const amount of [1, 2, 3]) await stripe.refunds.create({ payment_intent: intent, amount })
    await stripe.refunds.create({ payment_intent: other, amount: 9 })

    const page = await stripe.refunds.list({ payment_intent: intent, limit: 2 })
    expect([page.has_more, ...page.data.map(({ amount }) => amount)]).toEqual([true, 3, 2])
    const all = await stripe.refunds.list({ payment_intent: intent, limit: 2 }).autoPagingToArray({ limit: 10 })
    expect(all.map(({ amount }) => amount)).toEqual([3, 2, 1])
  })

  test('a disputed charge is told and cannot be refunded', async () => {
    const { id, intent } = await paidSession()
    await bank.dispute(id)
    expect(hook.received.at(-1)).toMatchObject({
      type: 'charge.dispute.created',
      data: { object: { object: 'dispute', payment_intent: intent, amount: 1000 } },
    })
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({ code: 'charge_disputed' })
    await expect(bank.dispute((await open()).id)).rejects.toThrow('no charge')
  })
})

describe('idempotency keys', () => {
  test('the same key gives the same answer; with other parameters it is refused; after a day it is forgotten', async () => {
    const { intent } = await paidSession()
    const refund = (amount: number) =>
      stripe.refunds.create({ payment_intent: intent, amount }, { idempotencyKey: 'cancel-7' })
    const first = await refund(100)
    const again = await refund(100)
    expect(again).toEqual(first)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    await expect(refund(200)).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
    await expect(open({}, { idempotencyKey: 'cancel-7' })).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
    expect(bank.ledger()).toMatchObject([{ refunded: 100 }])
    const [one, two] = [await open(), await open()]
    const expire = (id: string) => stripe.checkout.sessions.expire(id, {}, { idempotencyKey: 'expire' })
    await expire(one.id)
    await expect(expire(two.id)).rejects.toMatchObject({ type: 'StripeIdempotencyError' })

    clock = new Date(clock.getTime() + 24 * 60 * minute)
    await refund(100)
    expect(bank.ledger()).toMatchObject([{ refunded: 200 }])
  })

  test('a request with a wrong parameter does not use the key up', async () => {
    await expect(open({ line_items: [priced(0)] }, { idempotencyKey: 'k' })).rejects.toMatchObject({ statusCode: 400 })
    await expect(open({}, { idempotencyKey: 'k' })).resolves.toMatchObject({ status: 'open' })
  })
})

describe('misbehaviour of the API', () => {
  test('fail answers 500, refuse closes: nothing was done', async () => {
    bank.behave({ api: 'fail' })
    await expect(open()).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
    bank.behave({ api: 'refuse' })
    await expect(open()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(bank.sessions()).toEqual([])
    bank.behave({ api: 'work' })
    await expect(open()).resolves.toMatchObject({ status: 'open' })
  })

  test('drop did what was asked, and the same key finds it', async () => {
    bank.behave({ api: 'drop' })
    await expect(open({}, { idempotencyKey: 'k' })).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(bank.sessions()).toHaveLength(1)
    bank.behave({ api: 'work' })
    const { id } = await open({}, { idempotencyKey: 'k' })
    expect(bank.sessions().map((session) => session.id)).toEqual([id])
  })

  test('a delay comes before the answer, and stopping does not wait for it', async () => {
    bank.behave({ delayMs: 300 })
    const before = performance.now()
    await open()
    expect(performance.now() - before).toBeGreaterThanOrEqual(290)
    bank.behave({ delayMs: 60_000 })
    const unanswered = expect(open()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    await expect.poll(() => bank.sessions().length).toBe(2)
    await bank.stop()
    await unanswered
  })
})

describe('webhooks', () => {
  test('kept events are delivered when, how often and in which order the caller says', async () => {
    bank.behave({ webhooks: 'keep' })
    const { intent } = await paidSession()
    await stripe.refunds.create({ payment_intent: intent })
    await bank.settled()
    expect(hook.heard.posts).toBe(0)
    const [completed, , refunded] = bank.events
    if (!completed || !refunded) throw new Error('Too few events')

    expect(await bank.deliver(refunded.id)).toBe(200)
    expect(await bank.deliver(completed.id)).toBe(200)
    expect(await bank.deliver(completed.id)).toBe(200)

    expect(hook.types()).toEqual(['charge.refunded', 'checkout.session.completed', 'checkout.session.completed'])
    expect(bank.events.map(({ delivered }) => delivered)).toEqual([2, 0, 1])
    expect(() => bank.deliver('evt_x')).toThrow('evt_x')
  })

  test('an event that is not taken is tried three times; twice and lose do what they say', async () => {
    const { id } = await open()
    hook.heard.status = 500
    await bank.pay(id)
    expect(hook.heard.posts).toBe(3)
    expect(bank.events.map(({ delivered }) => delivered)).toEqual([0])

    hook.heard.status = 200
    bank.behave({ webhooks: 'twice' })
    await bank.pay((await open()).id)
    expect(new Set(hook.received.map((event) => event.id)).size).toBe(1)
    expect(hook.received).toHaveLength(2)

    bank.behave({ webhooks: 'lose' })
    await bank.pay((await open()).id)
    expect(hook.received).toHaveLength(2)
    expect(bank.events).toHaveLength(3)
  })

  test('an address can be told later, and may be one where nobody listens', async () => {
    const late = await startTestBank({ secretKey, webhookSecret, webhookUrl: null })
    const form = 'mode=payment&success_url=https://a.example&line_items[0][quantity]=1'
    const price =
      'line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=1&line_items[0][price_data][product_data][name]=A'
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' }
    await fetch(`${late.url}/v1/checkout/sessions`, { method: 'POST', headers, body: `${form}&${price}` })
    await late.pay(late.sessions()[0]?.id ?? '')
    const eventId = late.events[0]?.id ?? ''
    expect(await late.deliver(eventId)).toBe(0)
    late.setWebhookUrl('http://127.0.0.1:9/hook')
    expect(await late.deliver(eventId)).toBe(0)
    late.setWebhookUrl(hook.url)
    expect(await late.deliver(eventId)).toBe(200)
    await late.stop()
  })

  test('the signature is of this body, with this secret', () => {
    const header = signatureFor('{"id":"evt_1"}', webhookSecret, new Date())
    const event = (body: string, secret: string) => stripe.webhooks.constructEvent(body, header, secret)
    expect(event('{"id":"evt_1"}', webhookSecret)).toMatchObject({ id: 'evt_1' })
    expect(() => event('{"id":"evt_2"}', webhookSecret)).toThrow(Stripe.errors.StripeSignatureVerificationError)
    expect(() => event('{"id":"evt_1"}', 'whsec_2')).toThrow(Stripe.errors.StripeSignatureVerificationError)
  })
})

describe('the pay page', () => {
  const visit = async (path: string, method = 'GET') => {
    const response = await fetch(bank.url + path, { method, redirect: 'manual' })
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }

  test('says what is bought and that no real money moves, and escapes what was sent', async () => {
    const { id } = await open({
      line_items: [priced(1200, 2, 'jpy', '<script>alert("1")</script>'), priced(34, 1, 'jpy')],
      customer_email: "o'hara@example.org",
      cancel_url: 'https://club.example/"><b>',
    })
    const { status, html } = await visit(`/pay/${id}`)
    expect(status).toBe(200)
    expect(html).toContain('Test bank — no real money moves')
    expect(html).toContain('¥2,434')
    expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; × 2')
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<b>')
  })

  test('paying leads to the success address, also for a second click, and charges once', async () => {
    const { id } = await open()
    const clicks = await Promise.all([visit(`/pay/${id}`, 'POST'), visit(`/pay/${id}`, 'POST')])
    const onward = { status: 303, location: `https://club.example/paid?s=${id}` }
    expect(clicks).toMatchObject([onward, onward])
    expect(bank.ledger()).toHaveLength(1)
    expect(hook.received).toHaveLength(1)
    expect((await visit(`/pay/${id}`)).html).toContain('This is already paid')
  })

  test('a refused card leaves the session payable', async () => {
    const { id } = await open()
    const { status, location } = await visit(`/pay/${id}/decline`, 'POST')
    expect(status).toBe(303)
    const { html } = await visit(location ?? '')
    expect(html).toContain('The card was refused')
    expect(html).toContain('>Pay</button>')
    expect(html).toContain('href="https://club.example/back"')
    bank.decline(id)
    expect(bank.ledger()).toEqual([])
    await bank.pay(id)
    expect((await visit(location ?? '')).html).not.toContain('The card was refused')
  })

  test('an expired session cannot be paid, an unknown one is not there, an embedded one can be paid', async () => {
    const { id } = await open({ expires_at: inMinutes(30) })
    clock = new Date(clock.getTime() + 31 * minute)
    expect(await visit(`/pay/${id}`, 'POST')).toMatchObject({ status: 303, location: `/pay/${id}` })
    const { html } = await visit(`/pay/${id}`)
    expect(html).toContain('This payment has expired')
    expect(html).not.toContain('<button')
    expect(bank.ledger()).toEqual([])
    expect((await visit('/pay/cs_test_x')).status).toBe(404)

    const { success_url: _success, cancel_url: _cancel, ...rest } = twoTickets
    const embedded = await stripe.checkout.sessions.create({
      ...rest,
      ui_mode: 'embedded_page',
      return_url: 'https://club.example/return?s={CHECKOUT_SESSION_ID}',
    })
    expect((await visit(`/pay/${embedded.id}`)).html).toContain('target="_top"')
    expect(await visit(`/pay/${embedded.id}`, 'POST')).toMatchObject({
      status: 303,
      location: `https://club.example/return?s=${embedded.id}`,
    })
  })
})
