import { describe, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { makeExtras, registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { begin, cancel, family, ledger, orderOf, payAgain, payTicket, statusesOf } from '../support/paid-orders.ts'
import {
  app,
  bank,
  later,
  MINUTE,
  mailsTo,
  paying,
  seatsTaken,
  setUpPayingApp,
  statusOf,
  tell,
} from '../support/paying.ts'

setUpPayingApp()

describe('an order that costs something', () => {
  test('repeated with its key after all of it was given back, it is refused as what it is', async () => {
    const { event } = await family()
    const request = { ...registrationFor(event), idempotencyKey: 'once', companions: [companion()] }
    const { order, registrations } = await begin(event, request.companions, request)
    const registrationIds = registrations.map(({ id }) => id)
    const held = { orderId: order.id, secret: order.secret }
    await app.call(orderApi.giveBackTickets, { payload: { ...held, registrationIds } })
    await refusalOf(app.call(registrationApi.initRegistration, request), 'TICKET_CANCELLED')
  })

  test('is paid at once, and all get their tickets in one mail', async () => {
    const { event, eventId, idOf, token } = await family()
    const drinks = await makeExtras(app, token, eventId, { name: 'Drinks', price: 300 })
    const { order, registrations, session } = await begin(event, [
      companion({ ticketTypeId: idOf('Child'), extrasIds: [drinks.id, drinks.id] }),
      companion({ ticketTypeId: idOf('Child'), name: 'Cy', email: 'cy@example.org' }),
      companion({ ticketTypeId: idOf('Baby') }),
    ])
    expect(order).toMatchObject({ status: 'pending', amount: 2500 + 1600 + 1000, holdExpiresAt: expect.any(Date) })
    expect(new Set(await statusesOf(registrations))).toEqual(new Set(['pending']))
    expect(bank.sessions()).toMatchObject([{ amountTotal: 5100, status: 'open' }])
    await app.finishMails()
    expect(app.sent).toEqual([])
    await bank.pay(session)
    expect(new Set(await statusesOf(registrations))).toEqual(new Set(['confirmed']))
    expect((await orderOf(order)).order).toMatchObject({ status: 'confirmed', amount: 5100, holdExpiresAt: null })
    await app.finishMails()
    expect(mailsTo(order.contact.email)).toHaveLength(1)
    expect(mailsTo('cy@example.org')).toHaveLength(1)
    const text = app.sent.find(({ to }) => to === order.contact.email)?.text ?? ''
    // One receipt for all, and once what to do with a place that is not needed.
    expect(text).toContain('Paid €51.00 on 20/11/2026\nAdult €25.00 · 2 × Child €20.00 · 2 × Drinks €6.00')
    expect(text.match(/please write to/g)).toHaveLength(1)
    const { income } = await app.call(statisticsApi.getStatistics, { eventId, date: '2030-01-01' }, token)
    expect(income).toMatchObject({ paid: 5100, refunded: 0 })
  })

  test('is paid by whoever made it, also where only a companion’s ticket costs something', async () => {
    const { event, idOf } = await family()
    const { order, savedRegistration, session } = await begin(
      event,
      [companion({ ticketTypeId: idOf('Child') })],
      {},
      idOf('Baby'),
    )
    expect(savedRegistration).toMatchObject({ status: 'pending', amount: 0 })
    expect(bank.sessions()).toMatchObject([{ amountTotal: 1000 }])
    expect(await payAgain(order)).toBe(session)
    await bank.pay(session)
    expect(await statusOf(savedRegistration)).toBe('confirmed')
  })

  test('that costs nothing is confirmed at once, also where others cost something', async () => {
    const { event, idOf } = await family()
    const baby = companion({ ticketTypeId: idOf('Baby') })
    const { registrations, checkoutUrl } = await begin(event, [baby], {}, idOf('Baby'))
    expect([checkoutUrl, ...registrations.map(({ status }) => status)]).toEqual([null, 'confirmed', 'confirmed'])
  })

  test('repeated with its key, is the same order and the same session', async () => {
    const { event } = await family()
    const request = { ...registrationFor(event), idempotencyKey: 'k1' }
    const child = companion()
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(event, [child], request)))
    expect(new Set(answers.map(({ order }) => order.id)).size).toBe(1)
    expect(new Set(answers.map(({ session }) => session)).size).toBe(1)
    expect(await seatsTaken(event.id)).toBe(2)
  })

  test('has one session, which only whoever knows the secret of the order is told', async () => {
    const { event, idOf } = await family()
    const { order, registrations, session } = await begin(event, [
      companion(),
      companion({ ticketTypeId: idOf('Baby') }),
    ])
    expect(await Promise.all([1, 2, 3].map(() => payAgain(order)))).toEqual([session, session, session])
    // Whoever holds one ticket is not led to the page with those of all.
    for (const each of registrations) await refusalOf(payTicket(each), 'PAID_TOGETHER')
  })

  test('is refused whole, with nothing held, when one of its tickets is gone', async () => {
    const { event, idOf } = await family()
    const children = Array.from({ length: 5 }, () => companion({ ticketTypeId: idOf('Child') }))
    const refusal = await refusalOf(begin(event, children), 'SOLD_OUT')
    expect(refusal.payload).toEqual({ left: 4, ticketTypeId: idOf('Child') })
    expect([await seatsTaken(event.id), bank.sessions()]).toEqual([0, []])
  })
})

describe('when the time to pay is over', () => {
  test('all of them lose their places together, and take them again together', async () => {
    const { event, eventId, idOf } = await family()
    const { order, registrations, session } = await begin(event, [
      companion(),
      companion({ ticketTypeId: idOf('Baby') }),
    ])
    later(31 * MINUTE)
    await paying.finishPayments()
    expect([await seatsTaken(eventId), ...(await statusesOf(registrations))]).toEqual([
      0,
      'cancelled',
      'cancelled',
      'cancelled',
    ])
    later(10 * MINUTE)
    await paying.finishPayments()
    const again = await payAgain(order)
    expect(again).not.toBe(session)
    expect([await seatsTaken(eventId), ...(await statusesOf(registrations))]).toEqual([
      3,
      'pending',
      'pending',
      'pending',
    ])
    await bank.pay(again)
    expect(new Set(await statusesOf(registrations))).toEqual(new Set(['confirmed']))
  })

  test('nobody takes a place again where there are too few for all', async () => {
    const { event, eventId } = await family({ maxAttendees: 3 })
    const { order, registrations } = await begin(event, [companion()])
    later(31 * MINUTE)
    await begin(event, [companion()])
    await refusalOf(payAgain(order), 'SOLD_OUT')
    expect([await seatsTaken(eventId), ...(await statusesOf(registrations))]).toEqual([2, 'cancelled', 'cancelled'])
  })

  test('nobody takes a place again where an address would have more than the event allows', async () => {
    const { event, token, eventId } = await family()
    const { order, registrations } = await begin(event, [companion(), companion()])
    later(31 * MINUTE)
    await app.call(eventApi.save, { id: eventId, maxPerEmail: 2 }, token)
    await refusalOf(payAgain(order), 'EMAIL_LIMIT')
    await paying.finishPayments()
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })

  test('whoever pays too late gets all places that are left, or all of the money back', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, eventId } = await family({ maxAttendees: 4 })
    const [lucky, late] = [await begin(event, [companion()]), await begin(event, [companion()])]
    await bank.pay(lucky.session)
    await bank.pay(late.session)
    later(31 * MINUTE)
    await begin(event, [])
    for (const { id, type } of bank.events) if (type === 'checkout.session.completed') await bank.deliver(id)
    await paying.finishPayments()
    expect(await statusesOf(lucky.registrations)).toEqual(['confirmed', 'confirmed'])
    expect(await statusesOf(late.registrations)).toEqual(['cancelled', 'cancelled'])
    expect(ledger()).toEqual([
      [5000, 0],
      [5000, 5000],
    ])
    expect(await seatsTaken(eventId)).toBe(3)
  })
})

describe('one person of an order', () => {
  test('who is cancelled gets back their part only', async () => {
    const { event, eventId, idOf, token } = await family()
    const { registrations, session, order } = await begin(event, [companion({ ticketTypeId: idOf('Child') })])
    await bank.pay(session)
    const [adult, child] = registrations
    if (!adult || !child) throw new Error('An order of two.')
    await cancel(eventId, child, token)
    await paying.finishPayments()
    expect(ledger()).toEqual([[3500, 1000]])
    expect((await orderOf(order)).order).toMatchObject({ status: 'confirmed', amount: 2500 })
    await app.call(paymentApi.refund, { payload: { registrationId: adult.id, eventId, amount: 500 } }, token)
    await refusalOf(
      app.call(paymentApi.refund, { payload: { registrationId: adult.id, eventId, amount: 2001 } }, token),
      'REFUND_TOO_LARGE',
    )
    await app.call(paymentApi.refund, { payload: { registrationId: adult.id, eventId } }, token)
    await paying.finishPayments()
    expect(ledger()).toEqual([[3500, 3500]])
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'cancelled'])
  })

  test('who leaves before it is paid is not paid for', async () => {
    const { event, eventId, token } = await family()
    const { order, registrations, session } = await begin(event, [companion(), companion()])
    const [first, second, third] = registrations
    if (!first || !second || !third) throw new Error('An order of three.')
    await cancel(eventId, second, token)
    const again = await payAgain(order)
    expect(again).not.toBe(session)
    expect(bank.sessions()).toMatchObject([
      { status: 'expired', amountTotal: 7500 },
      { status: 'open', amountTotal: 5000 },
    ])
    await bank.pay(again)
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'cancelled', 'confirmed'])
  })

  test('who leaves ends the session of all, so that nobody pays for them', async () => {
    const { event, eventId, token } = await family()
    const { registrations } = await begin(event, [companion(), companion()])
    const [, , third] = registrations
    if (third) await cancel(eventId, third, token)
    await paying.finishPayments()
    expect(bank.sessions()).toMatchObject([{ status: 'expired' }])
    expect(await statusesOf(registrations)).toEqual(['pending', 'pending', 'cancelled'])
  })

  test('who was cancelled while the bank was paid gets back their part, and the others get in', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, eventId, token } = await family()
    const { registrations, session } = await begin(event, [companion(), companion()])
    await bank.pay(session)
    const [first] = registrations
    if (first) await cancel(eventId, first, token)
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    await paying.finishPayments()
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'confirmed', 'confirmed'])
    expect(ledger()).toEqual([[7500, 2500]])
  })
})

describe('what happens to the money of an order', () => {
  test('all of it goes back when the event is called off', async () => {
    const { event, eventId, token } = await family()
    const { session } = await begin(event, [companion(), companion()])
    await bank.pay(session)
    await app.call(eventApi.save, { id: eventId, status: 'cancelled' }, token)
    await paying.finishPayments()
    expect(ledger()).toEqual([[7500, 7500]])
  })

  test('refunded at Stripe itself, in part it stays an order, in whole it is cancelled', async () => {
    const { event, eventId, token } = await family()
    const { registrations, session } = await begin(event, [companion()])
    await bank.pay(session)
    const payment_intent = bank.ledger()[0]?.paymentIntent
    const told = (amount_refunded: number) => tell('charge.refunded', { id: 'ch_1', payment_intent, amount_refunded })
    const income = async () =>
      (await app.call(statisticsApi.getStatistics, { eventId, date: '2030-01-01' }, token)).income
    await told(3000)
    expect(await income()).toMatchObject({ paid: 5000, refunded: 3000 })
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'confirmed'])
    await told(3000)
    await told(5000)
    expect(await income()).toMatchObject({ paid: 5000, refunded: 5000 })
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'cancelled'])
  })

  test('in a dispute the bank decides about all of it, and what is owed goes back once it is won', async () => {
    const { event, eventId, token } = await family()
    const { registrations, session } = await begin(event, [companion()])
    await bank.pay(session)
    const payment_intent = bank.ledger()[0]?.paymentIntent
    await tell('charge.dispute.created', { id: 'dp_1', payment_intent, status: 'needs_response' })
    const [, second] = registrations
    if (second) await cancel(eventId, second, token)
    await paying.finishPayments()
    expect(ledger()).toEqual([[5000, 0]])
    await tell('charge.dispute.closed', { id: 'dp_1', payment_intent, status: 'won' })
    await paying.finishPayments()
    expect(ledger()).toEqual([[5000, 2500]])
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'cancelled'])
  })

  test('all of it goes back when the bank took another amount', async () => {
    const { event, eventId } = await family()
    const { registrations, session } = await begin(event, [companion()])
    const paid = { payment_status: 'paid', payment_intent: 'pi_1', amount_total: 2500, currency: 'eur' }
    await tell('checkout.session.completed', { id: session, ...paid })
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'cancelled'])
    expect(await seatsTaken(eventId)).toBe(0)
    const refunds = await app.deps.db.selectFrom('refunds').select(['amount', 'reason']).execute()
    expect(refunds).toEqual([{ amount: 2500, reason: 'wrong amount' }])
  })

  test('is settled once, however often and by whatever way it is told', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event } = await family()
    const { registrations, session } = await begin(event, [companion(), companion()])
    await bank.pay(session)
    const told = () => app.call(paymentApi.sessionStatus, { sessionId: session })
    const events = bank.events.filter(({ type }) => type === 'checkout.session.completed')
    const outcomes = [...Array.from({ length: 5 }, told), ...events.map(({ id }) => bank.deliver(id))]
    expect(await countOutcomes(outcomes)).toEqual({ ok: outcomes.length })
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(ledger()).toEqual([[7500, 0]])
  })
})
