import { describe, expect, test } from 'vitest'
import {
  bank,
  clientWith,
  clock,
  hook,
  inMinutes,
  MINUTE,
  open,
  type Params,
  paidSession,
  priced,
  setUpTestBank,
  stripe,
  twoTickets,
} from '../support/bank-client.ts'

setUpTestBank()

describe('checkout sessions', () => {
  test('a hosted session is opened, paid once, reported to the webhook and found again', async () => {
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

  test('time expires a session, and this is reported once', async () => {
    const { id } = await open({ expires_at: inMinutes(30) })
    clock.now = new Date(clock.now.getTime() + 30 * MINUTE)
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
