import { describe, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { workOnHolds } from '../../src/server/payments/worker.ts'
import { lockEvent } from '../../src/server/places/seat-queries.ts'
import { startPayingApp } from '../support/bank.ts'
import { makeExtras, makeFixture, registrationFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import {
  app,
  bank,
  begin,
  later,
  MINUTE,
  mailsTo,
  paying,
  pricedFixture,
  seatsTaken,
  setUpPayingApp,
  statusOf,
  ticketOf,
} from '../support/paying.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

setUpPayingApp()

describe('a registration with a price', () => {
  test('holds its seat, goes to the bank with our price, and is confirmed with its ticket once it is paid', async () => {
    const { event } = await pricedFixture({ maxAttendees: 1 })
    const { registration, session } = await begin(event)
    expect(registration).toMatchObject({ status: 'pending', amount: 2500, currency: 'eur' })
    expect(registration.holdExpiresAt?.getTime()).toBe(app.clock.now.getTime() + 30 * MINUTE)
    expect(bank.sessions()).toMatchObject([{ id: session, amountTotal: 2500, currency: 'eur', status: 'open' }])
    await refusalOf(begin(event), 'SOLD_OUT')
    await app.finishMails()
    expect(app.sent).toEqual([])

    await bank.pay(session)
    expect(await statusOf(registration)).toBe('confirmed')
    await app.finishMails()
    expect(mailsTo(registration.registrationData.email)).toEqual(['Your ticket: Summer party'])
    expect((await ticketOf(registration)).payment).toMatchObject({ paid: 2500, refunded: 0, currency: 'eur' })
  })

  test('sent again with its idempotency key is the same one, with the same session', async () => {
    const { event } = await pricedFixture()
    const request = registrationFor(event, { idempotencyKey: 'k' })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.call(registrationApi.initRegistration, request)),
    )
    expect(new Set(answers.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1)
    expect(bank.sessions()).toHaveLength(1)
  })

  test('is settled by the return page without the webhook, and by the worker without both', async () => {
    bank.behave({ webhooks: 'lose' })
    const { event } = await pricedFixture()
    const [first, second] = [await begin(event), await begin(event)]
    await bank.pay(first.session)
    expect(await statusOf(first.registration)).toBe('pending')
    expect(await app.call(paymentApi.sessionStatus, { sessionId: first.session })).toEqual({
      status: 'complete',
      paymentStatus: 'paid',
      registrationId: first.registration.id,
      qrUuid: first.registration.qrUuid,
      registrationStatus: 'confirmed',
    })
    await bank.pay(second.session)
    later(3 * MINUTE)
    await paying.finishPayments()
    expect(await statusOf(second.registration)).toBe('confirmed')
    await refusalOf(app.call(paymentApi.sessionStatus, { sessionId: 'cs_test_other' }), 'NOT_FOUND')
  })

  test('reported by webhook, return page and worker at the same moment is settled once', async () => {
    bank.behave({ webhooks: 'keep' })
    const other = await app.another()
    const { event } = await pricedFixture()
    for (let round = 0; round < 5; round++) {
      const { registration, session } = await begin(event)
      await bank.pay(session)
      later(3 * MINUTE)
      const told = bank.events.at(-1)?.id ?? ''
      const look = (server: TestApp) => server.call(paymentApi.sessionStatus, { sessionId: session })
      await Promise.all([look(app), look(other), bank.deliver(told), look(app), look(other), paying.finishPayments()])
      await app.finishMails()
      expect(mailsTo(registration.registrationData.email)).toEqual(['Your ticket: Summer party'])
      expect((await ticketOf(registration)).payment).toMatchObject({ paid: 2500, refunded: 0 })
    }
  })

  test('frees its seat when abandoned, and its session can no longer be paid', async () => {
    const { event } = await pricedFixture({ maxAttendees: 1 })
    const { registration, session } = await begin(event)
    later(30 * MINUTE)
    const next = await begin(event)
    expect(next.registration.status).toBe('pending')
    expect((await ticketOf(registration)).registration).toMatchObject({
      status: 'cancelled',
      cancelReason: 'hold ended',
    })
    await paying.finishPayments()
    expect(bank.sessions().find(({ id }) => id === session)?.status).toBe('expired')
    expect(await seatsTaken(event.id)).toBe(1)
  })

  test('paid after its hold ended gets a seat if one is left, otherwise a refund and a mail about it', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event } = await pricedFixture({ maxAttendees: 2 })
    const [lucky, late] = [await begin(event), await begin(event)]
    await bank.pay(lucky.session)
    await bank.pay(late.session)
    later(31 * MINUTE)
    const other = await begin(event)
    for (const { id, type } of bank.events) if (type === 'checkout.session.completed') await bank.deliver(id)
    expect(await statusOf(lucky.registration)).toBe('confirmed')
    expect(await statusOf(late.registration)).toBe('cancelled')
    expect(await statusOf(other.registration)).toBe('pending')
    await paying.finishPayments()
    expect(bank.ledger().map(({ sessionId, charged, refunded }) => [sessionId, charged, refunded])).toEqual([
      [lucky.session, 2500, 0],
      [late.session, 2500, 2500],
    ])
    await app.finishMails()
    expect(mailsTo(late.registration.registrationData.email)).toEqual(['Your money goes back: Summer party'])
    expect(mailsTo(lucky.registration.registrationData.email)).toEqual(['Your ticket: Summer party'])
  })

  test('is held when Stripe does not answer, and can be paid when it does again', async () => {
    for (const api of ['fail', 'refuse', 'drop'] as const) {
      const { event } = await pricedFixture()
      bank.behave({ api })
      const { registration, checkoutUrl } = await begin(event)
      expect(registration.status).toBe('pending')
      expect(checkoutUrl).toContain(`/qr/${registration.id}/`)
      bank.behave({ api: 'work' })
      const holder = { registrationId: registration.id, qrUuid: registration.qrUuid }
      const again = await app.call(paymentApi.createCheckout, { payload: holder })
      expect(await app.call(paymentApi.createCheckout, { payload: holder })).toEqual(again)
      await bank.pay(/cs_test_\w+/.exec(again.checkoutUrl ?? '')?.[0] ?? '')
      expect(await statusOf(registration)).toBe('confirmed')
      await refusalOf(app.call(paymentApi.createCheckout, { payload: holder }), 'ALREADY_PAID')
    }
    expect(bank.ledger()).toHaveLength(3)
    // A session that was opened although its answer was lost is not opened again, because somebody might pay both.
    expect(bank.sessions()).toHaveLength(3)
  })

  test('can be reserved again by its ticket holder alone after the hold ended, while there is a place', async () => {
    const { event } = await pricedFixture({ maxAttendees: 1 })
    const { registration, session } = await begin(event)
    later(31 * MINUTE)
    await paying.finishPayments()
    const holder = { registrationId: registration.id, qrUuid: registration.qrUuid }
    await refusalOf(
      app.call(paymentApi.createCheckout, { payload: { ...holder, qrUuid: crypto.randomUUID() } }),
      'NOT_FOUND',
    )
    const { checkoutUrl } = await app.call(paymentApi.createCheckout, { payload: holder })
    expect(await statusOf(registration)).toBe('pending')
    const next = /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? ''
    expect(next).not.toBe(session)
    await bank.pay(next)
    expect(await statusOf(registration)).toBe('confirmed')

    const gone = await pricedFixture({ maxAttendees: 1 })
    const first = await begin(gone.event)
    later(31 * MINUTE)
    await begin(gone.event)
    const payload = { registrationId: first.registration.id, qrUuid: first.registration.qrUuid }
    await refusalOf(app.call(paymentApi.createCheckout, { payload }), 'SOLD_OUT')
  })
})

describe('a price or voucher sent by a visitor', () => {
  test('is not trusted: Stripe gets our prices, and another event’s voucher is refused', async () => {
    const { event, token } = await pricedFixture()
    const other = await pricedFixture()
    const drinks = await makeExtras(app, token, event.id, { price: 700 })
    const foreign = await makeExtras(app, other.token, other.event.id)
    const request = { ...registrationFor(event), extrasIds: [drinks.id, drinks.id] }
    for (const body of [
      { ...request, amount: 1 },
      { ...request, newRegistration: { ...request.newRegistration, ticketPrice: 1 } },
      { ...request, extrasIds: [foreign.id] },
      { ...request, extrasIds: [999_999] },
    ])
      expect((await app.raw(registrationApi.initRegistration, body)).status).toBe(422)
    expect(bank.sessions()).toEqual([])
    const { savedRegistration } = await app.call(registrationApi.initRegistration, request)
    expect(savedRegistration.amount).toBe(3900)
    expect(bank.sessions()).toMatchObject([{ amountTotal: 3900 }])
  })

  test('a free ticket with a paid voucher is paid, a free voucher is not', async () => {
    const { event, token } = await pricedFixture({ ticketPrice: 0 })
    const paid = await makeExtras(app, token, event.id, { price: 700 })
    const free = await makeExtras(app, token, event.id, { price: 0 })
    expect((await begin(event, [paid.id])).registration).toMatchObject({ status: 'pending', amount: 700 })
    expect((await begin(event, [free.id])).registration).toMatchObject({ status: 'confirmed', amount: 0 })
  })
})

test('a voucher says that it waits for the payment, is valid with it, and not after a refund', async () => {
  const { event, token } = await pricedFixture({ ticketPrice: 0 })
  const drinks = await makeExtras(app, token, event.id, { price: 700 })
  const { registration, session } = await begin(event, [drinks.id])
  const [voucher] = (await ticketOf(registration)).extras
  const state = async () => {
    const holder = { extrasPurchaseId: voucher?.id ?? 0, qrUuid: voucher?.qrUuid ?? '' }
    const { isValid, isUnpaid } = await app.call(redemptionApi.getVoucher, holder)
    return { isValid, isUnpaid }
  }
  expect(await state()).toEqual({ isValid: false, isUnpaid: true })
  await bank.pay(session)
  expect(await state()).toEqual({ isValid: true, isUnpaid: false })
  await app.call(paymentApi.refund, { payload: { registrationId: registration.id, eventId: event.id } }, token)
  expect(await state()).toEqual({ isValid: false, isUnpaid: false })
})

test('a locked event does not delay the ended holds of other events', async () => {
  const [held, free] = [await pricedFixture(), await pricedFixture()]
  const [first, second] = [await begin(held.event), await begin(free.event)]
  later(60 * MINUTE)
  await app.deps.db.transaction().execute(async (tx) => {
    await lockEvent(tx, held.event.id)
    await workOnHolds(app.deps)
    expect(await statusOf(second.registration)).not.toBe('pending')
    expect(await statusOf(first.registration)).toBe('pending')
  })
  await workOnHolds(app.deps)
  expect(await statusOf(first.registration)).not.toBe('pending')
})

test('an event with a price, or with a priced voucher, is not published without card payment', async () => {
  const poor = await startApp()
  try {
    const { event, token } = await makeFixture(poor)
    await refusalOf(poor.call(eventApi.save, { id: event.id, ticketPrice: 500 }, token), 'PAYMENTS_OFF')
    const voucher = { name: 'Drink', description: '', price: 500, content: [], maxQuantity: null }
    await refusalOf(
      poor.call(extrasApi.saveExtras, { payload: { ...voucher, eventId: event.id } }, token),
      'PAYMENTS_OFF',
    )
    const draft = await poor.call(eventApi.save, { id: event.id, status: 'draft' }, token)
    await poor.call(extrasApi.saveExtras, { payload: { ...voucher, eventId: draft.id } }, token)
    await refusalOf(poor.call(eventApi.save, { id: draft.id, status: 'published' }, token), 'PAYMENTS_OFF')
  } finally {
    await poor.stop()
  }
})

test('where the page can show the card form, its session is embedded, and the bank’s own page takes its place', async () => {
  const embedded = await startPayingApp('pk_test_turnout')
  try {
    const { event } = await makeFixture(embedded.app, { ticketPrice: 2500 })
    const answer = await embedded.app.call(registrationApi.initRegistration, registrationFor(event))
    expect(answer.clientSecret).toMatch(/_secret_/)
    const { id: registrationId, qrUuid } = answer.savedRegistration
    expect(answer.checkoutUrl).toBe(`https://turnout.test/qr/${registrationId}/${qrUuid}?pay=hosted`)
    const hosted = await embedded.app.call(paymentApi.createCheckout, {
      payload: { registrationId, qrUuid, hosted: true },
    })
    expect(hosted.clientSecret).toBeNull()
    expect(embedded.bank.sessions().map(({ status }) => status)).toEqual(['expired', 'open'])
  } finally {
    await embedded.stop()
  }
})
