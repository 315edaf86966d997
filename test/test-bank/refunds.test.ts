import { describe, expect, test } from 'vitest'
import { bank, hook, open, paidSession, setUpTestBank, stripe } from '../support/bank-client.ts'

setUpTestBank()

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

  test('a dispute is reported, and its charge cannot be refunded', async () => {
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
