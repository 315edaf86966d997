import { describe, expect, test } from 'vitest'
import { bank, clock, MINUTE, open, paidSession, priced, setUpTestBank, stripe } from '../support/bank-client.ts'

setUpTestBank()

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

    clock.now = new Date(clock.now.getTime() + 24 * 60 * MINUTE)
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
