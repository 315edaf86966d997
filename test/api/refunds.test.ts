import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { refundApi } from '../../src/contract/refunds.ts'
import { tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
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
  tell,
  ticketOf,
} from '../support/paying.ts'

setUpPayingApp()

describe('refunds', () => {
  test('in part and in whole, never more than was paid, however many ask at once', async () => {
    const { event, token } = await pricedFixture({ maxAttendees: 1 })
    const { registration, session } = await begin(event)
    const of = { registrationId: registration.id, eventId: event.id }
    await refusalOf(app.call(paymentApi.refund, { payload: of }, token), 'NOT_PAID')
    await bank.pay(session)
    await app.call(paymentApi.refund, { payload: { ...of, amount: 500 } }, token)
    expect(await statusOf(registration)).toBe('confirmed')
    await refusalOf(app.call(paymentApi.refund, { payload: { ...of, amount: 2001 } }, token), 'REFUND_TOO_LARGE')
    await refusalOf(app.call(attendeeApi.removeRegistration, of, token), 'HAS_PAID')
    const all = Array.from({ length: 5 }, () => app.call(paymentApi.refund, { payload: of }, token))
    expect(await countOutcomes(all)).toEqual({ ok: 1, NOT_PAID: 4 })
    await refusalOf(app.call(attendeeApi.removeRegistration, of, token), 'HAS_PAID')
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
    expect(await statusOf(registration)).toBe('cancelled')
    expect(await seatsTaken(event.id)).toBe(0)
    await app.call(attendeeApi.removeRegistration, of, token)
  })

  test('automatically when staff had confirmed the place for free before the payment was known', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    later(31 * MINUTE)
    await begin(event)
    const payload = { id: registration.id, eventId: event.id, status: 'confirmed' as const }
    await app.call(attendeeApi.updateStatus, { payload }, token)
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
    expect((await ticketOf(registration)).registration).toMatchObject({ status: 'confirmed', amount: 0 })
  })

  test('automatically when staff cancel the registration or the event', async () => {
    const { event, token } = await pricedFixture()
    const [one, two] = [await begin(event), await begin(event)]
    await bank.pay(one.session)
    await bank.pay(two.session)
    const payload = { id: one.registration.id, eventId: event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload }, token)
    await refusalOf(app.call(eventApi.removeEvent, { eventId: event.id }, token), 'HAS_PAID')
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    await paying.finishPayments()
    expect(bank.ledger().map(({ refunded }) => refunded)).toEqual([2500, 2500])
    await app.finishMails()
    expect(mailsTo(two.registration.registrationData.email)).toContain('Cancelled: Summer party')
    expect(app.sent.at(-1)?.text).toContain('€25.00 go back to the card')
  })

  test('retries until Stripe accepts, and a final refusal waits for staff', async () => {
    const { event, club, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    bank.behave({ api: 'fail' })
    await app.call(paymentApi.refund, { payload: { registrationId: registration.id, eventId: event.id } }, token)
    expect(bank.ledger()).toMatchObject([{ refunded: 0 }])
    bank.behave({ api: 'work' })
    later(2 * MINUTE)
    await paying.finishPayments()
    await paying.finishPayments()
    expect(bank.refunds()).toHaveLength(1)

    // Part was refunded at the bank without our knowledge, so a full refund is more than the bank has left.
    bank.behave({ webhooks: 'keep' })
    const partly = await begin(event)
    await bank.pay(partly.session)
    await app.call(paymentApi.sessionStatus, { sessionId: partly.session })
    const intent = bank.ledger().at(-1)?.paymentIntent ?? ''
    await app.deps.stripe?.client.refunds.create({ payment_intent: intent, amount: 1000 })
    const payload = { registrationId: partly.registration.id, eventId: event.id }
    await app.call(paymentApi.refund, { payload }, token)
    await paying.finishPayments()
    const needs = async () =>
      (await app.call(clubApi.getNeeds, { clubId: club.id }, token)).map(({ kind, count }) => [kind, count])
    expect(await needs()).toEqual([['refunds failed', 1]])
    for (const { id, delivered } of bank.events) if (delivered === 0) await bank.deliver(id)
    expect((await ticketOf(partly.registration)).payment).toMatchObject({ paid: 2500, refunded: 1000 })
    await app.call(paymentApi.refund, { payload }, token)
    await paying.finishPayments()
    expect(bank.ledger().at(-1)).toMatchObject({ charged: 2500, refunded: 2500 })
    expect(await needs()).toEqual([])
  })

  test('twice with one key refunds once; a disputed payment cannot be refunded', async () => {
    const { event, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    const payload = { registrationId: registration.id, eventId: event.id, amount: 1000, idempotencyKey: 'tap' }
    await Promise.all([1, 2, 3].map(() => app.call(paymentApi.refund, { payload }, token)))
    await refusalOf(
      app.call(paymentApi.refund, { payload: { ...payload, amount: 900 } }, token),
      'IDEMPOTENCY_MISMATCH',
    )
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ refunded: 1000 }])
    await bank.dispute(session)
    await bank.settled()
    await refusalOf(
      app.call(paymentApi.refund, { payload: { ...payload, idempotencyKey: 'other' } }, token),
      'NOT_PAID',
    )
  })

  test('as soon as the balance suffices, and at once when staff ask', async () => {
    const { event, club, token } = await pricedFixture()
    const [one, two] = [await begin(event), await begin(event)]
    for (const { session } of [one, two]) await bank.pay(session)
    bank.behave({ balance: 'empty' })
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    await paying.finishPayments()
    const needs = () => app.call(clubApi.getNeeds, { clubId: club.id }, token)
    const waiting = { kind: 'refunds failed', eventId: event.id, eventName: event.name, count: 2 }
    expect(await needs()).toEqual([waiting])
    const retry = () => app.call(refundApi.retryRefunds, { payload: { eventId: event.id } }, token)
    expect(await retry()).toEqual({ count: 2 })
    await paying.finishPayments()
    expect(await needs()).toEqual([waiting])
    bank.behave({ balance: 'enough' })
    later(4 * MINUTE)
    await paying.finishPayments()
    expect(await needs()).toEqual([])
    expect(bank.ledger().map(({ refunded }) => refunded)).toEqual([2500, 2500])
    expect(bank.refunds()).toHaveLength(2)
  })

  test('when staff retry those of a removed event, and never another club’s', async () => {
    const { event, club, token } = await pricedFixture()
    const other = await pricedFixture()
    for (const each of [event, other.event]) {
      const { session } = await begin(each)
      await bank.pay(session)
    }
    bank.behave({ balance: 'empty' })
    for (const each of [{ event, token }, other])
      await app.call(eventApi.save, { id: each.event.id, status: 'cancelled' }, each.token)
    await paying.finishPayments()
    // Set directly, because removal is refused while money is owed: this happens only if a refund fails after the removal.
    await app.deps.db.updateTable('events').set({ removedAt: app.clock.now }).execute()
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toMatchObject([
      { kind: 'refunds failed', eventId: null, count: 1 },
    ])
    bank.behave({ balance: 'enough' })
    const retry = () => app.call(refundApi.retryRefundsOfRemoved, { payload: { clubId: club.id } }, token)
    expect(await retry()).toEqual({ count: 1 })
    await paying.finishPayments()
    expect(bank.ledger().map(({ refunded }) => refunded)).toEqual([2500, 0])
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toEqual([])
    expect(await retry()).toEqual({ count: 0 })
  })

  test('when staff retry all that Stripe refused for good, each once', async () => {
    const { event, admin, token } = await pricedFixture()
    const { session } = await begin(event)
    await bank.pay(session)
    bank.behave({ balance: 'empty' })
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    await paying.finishPayments()
    later(31 * 24 * 60 * MINUTE)
    await paying.finishPayments()
    const failed = await app.deps.db.selectFrom('refunds').select(['status', 'refusals']).execute()
    expect(failed).toEqual([{ status: 'failed', refusals: 1 }])
    bank.behave({ balance: 'enough' })
    const fresh = await tokenFor(app, admin.id)
    const retry = () => app.call(refundApi.retryRefunds, { payload: { eventId: event.id } }, fresh)
    const counts = await Promise.all([retry(), retry(), retry()])
    expect(counts.map(({ count }) => count).sort()).toEqual([0, 0, 1])
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  })

  test('after a dispute that the club has won, when the event was called off meanwhile', async () => {
    const { event, club, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    await bank.dispute(session)
    await bank.settled()
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    await paying.finishPayments()
    expect(await app.deps.db.selectFrom('refunds').select('id').execute()).toEqual([])
    await tell('charge.dispute.closed', { payment_intent: bank.ledger()[0]?.paymentIntent, status: 'won' })
    expect(await app.deps.db.selectFrom('refunds').select(['amount', 'reason']).execute()).toEqual([
      { amount: 2500, reason: 'event cancelled' },
    ])
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toEqual([])
    await app.finishMails()
    expect(mailsTo(registration.registrationData.email)).toContain('Your money goes back: Summer party')
    // The bank's own books still have the dispute, so that the money cannot go back there.
    await app.deps.db.updateTable('refunds').set({ status: 'failed' }).execute()
    await app.deps.db.updateTable('payments').set({ refunded: 0, dispute: 'lost' }).execute()
  })

  test('once, even if Stripe’s answer was lost and its idempotency key has expired', async () => {
    const { event, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    bank.behave({ api: 'drop' })
    const payload = { registrationId: registration.id, eventId: event.id, amount: 1000 }
    await app.call(paymentApi.refund, { payload }, token)
    await paying.finishPayments()
    bank.behave({ api: 'work' })
    later(25 * 60 * MINUTE)
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ refunded: 1000 }])
  })
})
