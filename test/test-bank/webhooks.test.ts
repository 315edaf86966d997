import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import {
  bank,
  hook,
  open,
  paidSession,
  secretKey,
  setUpTestBank,
  stripe,
  webhookSecret,
} from '../support/bank-client.ts'
import { signatureFor, startTestBank } from './test-bank.ts'

setUpTestBank()

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

  test('an event that is not accepted is tried three times; twice and lose do what they say', async () => {
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

  test('the address can be set later, and may be one where nobody listens', async () => {
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
