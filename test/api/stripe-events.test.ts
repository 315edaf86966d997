import { describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { waitBriefly } from '../../src/server/db/locks.ts'
import { wakeEventsOf } from '../../src/server/payments/stripe-event-queries.ts'

import { workOnHolds } from '../../src/server/payments/worker.ts'
import { makeExtras, registrationFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import {
  app,
  bank,
  begin,
  later,
  MINUTE,
  mailsTo,
  paying,
  post,
  pricedFixture,
  seatsTaken,
  setUpPayingApp,
  statusOf,
  tell,
  ticketOf,
} from '../support/paying.ts'
import { signatureFor } from '../test-bank/test-bank.ts'

setUpPayingApp()

describe('a Stripe event', () => {
  test('twice, late and in any order has the same result', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    const payload = { registrationId: registration.id, eventId: event.id }
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    await app.call(paymentApi.refund, { payload }, token)
    await paying.finishPayments()
    const told = bank.events.map(({ id }) => id)
    for (const id of [...told, ...told].reverse()) expect(await bank.deliver(id)).toBe(200)
    expect(await statusOf(registration)).toBe('cancelled')
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
    expect(await seatsTaken(event.id)).toBe(0)
    await app.finishMails()
    expect(mailsTo(registration.registrationData.email)).toEqual(['Your money goes back: Summer party'])
  })

  test('is refused unless the bank signed it, just now', async () => {
    const { event } = await pricedFixture()
    bank.behave({ webhooks: 'keep' })
    const { registration, session } = await begin(event)
    await bank.pay(session)
    const body = bank.events[0]?.body ?? ''
    const post = (text: string, signature: string | null) =>
      fetch(`${app.url}/api/stripe/webhook`, {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
      })
    const good = signatureFor(body, 'whsec_turnout', app.clock.now)
    const old = signatureFor(body, 'whsec_turnout', new Date(app.clock.now.getTime() - 10 * MINUTE))
    for (const [text, signature] of [
      [body, null],
      [body, 'nonsense'],
      [body, signatureFor(body, 'whsec_other', app.clock.now)],
      [body.replace('2500', '1'), good],
      [body, old],
    ] as const)
      expect((await post(text, signature)).status).toBe(400)
    expect(await statusOf(registration)).toBe('pending')
    expect((await post(body, good)).status).toBe(200)
    expect(await statusOf(registration)).toBe('confirmed')
  })

  test('of a refund made at Stripe is recorded, and a full one cancels the registration', async () => {
    const { event } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    const give = (amount: number) =>
      app.deps.stripe?.client.refunds.create({ payment_intent: bank.ledger()[0]?.paymentIntent ?? '', amount })
    await give(1000)
    await bank.settled()
    expect((await ticketOf(registration)).payment).toMatchObject({ refunded: 1000 })
    expect(await statusOf(registration)).toBe('confirmed')
    await give(1500)
    await bank.settled()
    expect(await statusOf(registration)).toBe('cancelled')
    expect(await seatsTaken(event.id)).toBe(0)
  })

  test('of a dispute is listed for staff', async () => {
    const { event, club, token } = await pricedFixture()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    await bank.dispute(session)
    await bank.settled()
    const needs = () => app.call(clubApi.getNeeds, { clubId: club.id }, token)
    expect(await needs()).toMatchObject([{ kind: 'disputes', count: 1 }])
    // Lost, and the ticket is still valid: staff decide whether it stays so.
    await tell('charge.dispute.closed', { payment_intent: bank.ledger()[0]?.paymentIntent, status: 'lost' })
    expect(await needs()).toMatchObject([{ kind: 'disputes', count: 1 }])
    // Money that the bank has taken back does not count as income.
    expect((await ticketOf(registration)).payment).toMatchObject({ paid: 2500, refunded: 0, lost: 2500 })
    const { income } = await app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2030-06-01' }, token)
    expect(income).toEqual({ paid: 2500, refunded: 0, lost: 2500, currency: 'eur' })
    const payload = { id: registration.id, eventId: event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload }, token)
    expect(await needs()).toEqual([])
  })

  test('that is malformed or incomplete is refused or stored without effect', async () => {
    for (const body of ['null', '[]', '5', '""', '{}', '{"id":"evt_1","type":"charge.refunded"}'])
      expect(await post(body), body).toBe(400)
    for (const object of [{}, { payment_status: 'paid', payment_intent: 5 }, { payment_intent: 'pi_1', status: null }])
      for (const type of ['checkout.session.completed', 'charge.refunded', 'charge.dispute.created', 'refund.failed'])
        expect(await tell(type, object)).toBe(200)
    const kept = await app.deps.db.selectFrom('stripeEvents').select(['body', 'handledAt']).execute()
    expect(kept).toHaveLength(12)
    for (const { body, handledAt } of kept) expect([body, handledAt !== null]).toEqual([{ kind: 'other' }, true])
  })

  test('of live mode, or of another account, is ignored while the key is a test key', async () => {
    const { event } = await pricedFixture()
    const { registration, session } = await begin(event)
    const object = { id: session, payment_status: 'paid', payment_intent: 'pi_1', amount_total: 2500, currency: 'eur' }
    expect(await tell('checkout.session.completed', object, { livemode: true })).toBe(200)
    expect(await tell('checkout.session.completed', object, { account: 'acct_1' })).toBe(200)
    expect(await statusOf(registration)).toBe('pending')
  })

  test('that is being handled does not block settling its payment', async () => {
    const facts = { kind: 'refunded', paymentIntent: 'pi_1' }
    const at = app.clock.now
    const row = { id: 'evt_1', body: JSON.stringify(facts), receivedAt: at, runAt: at, handledAt: null }
    await app.deps.db.insertInto('stripeEvents').values(row).execute()
    await app.deps.db.transaction().execute(async (acting) => {
      await acting.selectFrom('stripeEvents').select('id').forUpdate().execute()
      await app.deps.db.transaction().execute(async (settling) => {
        await waitBriefly(settling)
        await wakeEventsOf(settling, 'pi_1', at)
      })
    })
    await app.deps.db.deleteFrom('stripeEvents').execute()
  })

  test('that can never be handled is given up after some days', async () => {
    const facts = { kind: 'paid', sessionId: 'cs_1', key: '', paymentIntent: 'pi', amount: 10 ** 12, currency: 'eur' }
    const { event } = await pricedFixture()
    await begin(event)
    await app.deps.db.updateTable('payments').set({ sessionId: 'cs_1' }).execute()
    const at = app.clock.now
    const row = { id: 'evt_broken', body: JSON.stringify(facts), receivedAt: at, runAt: at, handledAt: null }
    await app.deps.db.insertInto('stripeEvents').values(row).execute()
    const handledAt = async () =>
      (await app.deps.db.selectFrom('stripeEvents').select('handledAt').executeTakeFirstOrThrow()).handledAt
    await workOnHolds(app.deps)
    expect(await handledAt()).toBeNull()
    later(4 * 24 * 60 * MINUTE)
    await workOnHolds(app.deps)
    expect(await handledAt()).toEqual(app.clock.now)
  })
})

describe('a clock that was a day ahead for a while', () => {
  test('delays no hold, no refund and no Stripe event', async () => {
    const { event, token } = await pricedFixture({
      startsAt: new Date('2026-12-27T18:00:00Z'),
      endsAt: new Date('2026-12-27T20:00:00Z'),
    })
    const paid = await begin(event)
    await bank.pay(paid.session)
    later(26 * 60 * MINUTE)
    const held = await begin(event)
    const payload = { registrationId: paid.registration.id, eventId: event.id, amount: 1000 }
    await app.call(paymentApi.refund, { payload }, token)
    const facts = JSON.stringify({ kind: 'other' })
    const { now } = app.clock
    const row = { id: 'evt_ahead', body: facts, receivedAt: now, runAt: now, handledAt: null }
    await app.deps.db.insertInto('stripeEvents').values(row).execute()
    await app.deps.db
      .updateTable('refunds')
      .set({ lockedUntil: new Date(now.getTime() + MINUTE / 2) })
      .execute()
    later(-26 * 60 * MINUTE)
    await paying.finishPayments()
    await paying.finishPayments()
    expect(await statusOf(held.registration)).toBe('cancelled')
    expect(await seatsTaken(event.id)).toBe(1)
    expect(bank.ledger()).toMatchObject([{ refunded: 1000 }])
    expect(bank.sessions().map(({ status }) => status)).toEqual(['complete', 'expired'])
    const waiting = app.deps.db.selectFrom('stripeEvents').select('id').where('handledAt', 'is', null)
    expect(await waiting.execute()).toEqual([])
  })
})

describe('unfortunate timing', () => {
  test('a refund or dispute that arrives before its payment is not lost', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, club, token } = await pricedFixture()
    const [one, two] = [await begin(event), await begin(event)]
    for (const { session } of [one, two]) await bank.pay(session)
    const [first, second] = bank.ledger()
    await app.deps.stripe?.client.refunds.create({ payment_intent: first?.paymentIntent ?? '' })
    await bank.dispute(second?.sessionId ?? '')
    for (const { id } of [...bank.events].reverse()) expect(await bank.deliver(id)).toBe(200)
    // Handled at once: an event that came too early waits for its payment, not for a minute.
    await paying.finishPayments()
    expect(await statusOf(one.registration)).toBe('cancelled')
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toMatchObject([{ kind: 'disputes' }])
    await app.finishMails()
    expect(mailsTo(one.registration.registrationData.email)).toContain('Your money goes back: Summer party')
  })

  test('a Stripe event that cannot be handled does not block those after it', async () => {
    const { event } = await pricedFixture()
    const { registration, session } = await begin(event)
    const broken = { kind: 'paid', sessionId: session, key: '', paymentIntent: 'pi', amount: 10 ** 12, currency: 'eur' }
    const at = new Date(app.clock.now.getTime() - MINUTE)
    const row = { id: 'evt_broken', body: JSON.stringify(broken), receivedAt: at, runAt: at, handledAt: null }
    await app.deps.db.insertInto('stripeEvents').values(row).execute()
    await bank.pay(session)
    expect(await statusOf(registration)).toBe('confirmed')
    await app.deps.db.deleteFrom('stripeEvents').where('id', '=', 'evt_broken').execute()
  })

  test('names that differ only in letters without a simple lower case are one person', async () => {
    const { event } = await pricedFixture()
    const request = registrationFor(event, { name: 'İbrahim ΝΙΚΟΣ' })
    const { savedRegistration: first } = await app.call(registrationApi.initRegistration, request)
    later(31 * MINUTE)
    await app.call(registrationApi.initRegistration, request)
    const payload = { registrationId: first.id, qrUuid: first.qrUuid }
    await refusalOf(app.call(paymentApi.createCheckout, { payload }), 'ALREADY_REGISTERED')
  })

  test('a visitor whose ended hold cannot be renewed does not learn who is registered', async () => {
    const { event } = await pricedFixture()
    const person = { name: 'Ada', email: `renewed-${event.id}@example.org` }
    const mine = registrationFor(event, { ...person, idempotencyKey: 'mine' })
    await app.call(registrationApi.initRegistration, mine)
    later(31 * MINUTE)
    await app.call(registrationApi.initRegistration, registrationFor(event, person))
    const refusal = await refusalOf(app.call(registrationApi.initRegistration, mine), 'ALREADY_REGISTERED')
    expect(refusal.message).toContain('If you are already on the list, we have sent your ticket to that address again.')
  })

  test('an event called off closes the sessions that could still be paid, and its club stays until the money is back', async () => {
    const { event, token, club, sudo } = await pricedFixture()
    const [open, paid, other] = [await begin(event), await begin(event), await begin(event)]
    await bank.pay(paid.session)
    await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
    const holder = { registrationId: open.registration.id, qrUuid: open.registration.qrUuid }
    await refusalOf(app.call(paymentApi.createCheckout, { payload: holder }), 'EVENT_CANCELLED')
    await bank.pay(other.session)
    await refusalOf(app.call(clubApi.removeClub, { clubId: club.id }, sudo.token), 'HAS_PAID')
    await paying.finishPayments()
    await paying.finishPayments()
    await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    await paying.finishPayments()
    expect(bank.ledger().map(({ charged, refunded }) => [charged, refunded])).toEqual([
      [2500, 2500],
      [2500, 2500],
    ])
    expect(bank.sessions().map(({ status }) => status)).toEqual(['expired', 'complete', 'complete'])
  })

  test('a payment after its club was removed is refunded', async () => {
    const { event, club, sudo } = await pricedFixture()
    const { session } = await begin(event)
    await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    await bank.pay(session)
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  })

  test('a currency does not change under prices and payments', async () => {
    const { event, token } = await pricedFixture()
    await begin(event)
    await refusalOf(app.call(eventApi.save, { id: event.id, currency: 'jpy' }, token), 'ILLEGAL_TRANSITION')
    await refusalOf(app.call(eventApi.save, { id: event.id, ticketPrice: 10 }, token), 'INVALID_INPUT')
  })

  test('sorting vouchers while they are sold causes no deadlock', async () => {
    // So many requests from one address at once would need a proof of work.
    app.deps.settings.limits = false
    const { event, token } = await pricedFixture({ ticketPrice: 0 })
    const ids = [await makeExtras(app, token, event.id), await makeExtras(app, token, event.id)].map(({ id }) => id)
    const sort = (extrasIds: number[]) =>
      app.call(extrasApi.sortExtras, { payload: { eventId: event.id, extrasIds } }, token)
    const tries = Array.from({ length: 60 }, (_, index) => [
      begin(event, index % 2 === 0 ? ids : [...ids].reverse()),
      sort(index % 2 === 0 ? ids : [...ids].reverse()),
    ])
    expect(await countOutcomes(tries.flat())).toEqual({ ok: 120 })
  })
})
