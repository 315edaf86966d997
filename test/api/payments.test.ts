import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { refundApi } from '../../src/contract/refunds.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { waitBriefly } from '../../src/server/db/locks.ts'
import { wakeEventsOf } from '../../src/server/payments/queries.ts'
import { workOnHolds } from '../../src/server/payments/worker.ts'
import { lockEvent } from '../../src/server/places/seat-queries.ts'
import { bankKeys, type PayingApp, startPayingApp } from '../support/bank.ts'
import { makeExtras, makeWorld, registrationFor, tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'
import { signatureFor } from '../test-bank/test-bank.ts'

const MINUTE = 60_000
let paying: PayingApp
let app: TestApp
let bank: PayingApp['bank']
beforeEach(async () => {
  paying = await startPayingApp()
  ;({ app, bank } = paying)
})
afterEach(async () => {
  await verify(app.deps.db)
  await paying.stop()
})

const world = (fields: Parameters<typeof makeWorld>[1] = {}) => makeWorld(app, { ticketPrice: 2500, ...fields })
type World = Awaited<ReturnType<typeof world>>

/** Somebody registers for the priced event; with the session that they are to pay. */
async function begin(event: World['event'], extrasIds: number[] = []) {
  const answer = await app.call(registrationApi.initRegistration, { ...registrationFor(event), extrasIds })
  const { savedRegistration: registration, checkoutUrl } = answer
  return { registration, session: /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? '', checkoutUrl }
}

const ticketOf = ({ id, qrUuid }: { id: number; qrUuid: string }) =>
  app.call(registrationApi.getRegistration, { registrationId: id, qrUuid })
const statusOf = async (registration: { id: number; qrUuid: string }) =>
  (await ticketOf(registration)).registration.status
const later = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const seatsTaken = async (eventId: number) => (await app.call(eventApi.getEvent, { eventId })).registrationCount
const mailsTo = (email: string) => app.sent.filter(({ to }) => to === email).map(({ subject }) => subject)

/** Posts what the bank signed; answers the HTTP status. */
async function post(body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signatureFor(body, bankKeys.webhookSecret, app.clock.now),
  }
  return (await fetch(`${app.url}/api/stripe/webhook`, { method: 'POST', body, headers })).status
}

/** Posts an event that the test bank does not make by itself. */
function tell(type: string, object: unknown, head: { livemode?: boolean; account?: string } = {}): Promise<number> {
  return post(JSON.stringify({ id: `evt_${randomUUID()}`, type, livemode: false, data: { object }, ...head }))
}

describe('a registration with a price', () => {
  test('holds its seat, goes to the bank with our price, and is confirmed with its ticket once it is paid', async () => {
    const { event } = await world({ maxAttendees: 1 })
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

  test('sent again with its key is the same one, with the same session', async () => {
    const { event } = await world()
    const request = registrationFor(event, { idempotencyKey: 'k' })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.call(registrationApi.initRegistration, request)),
    )
    expect(new Set(answers.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1)
    expect(bank.sessions()).toHaveLength(1)
  })

  test('without the webhook the return page is enough, and without both the worker asks', async () => {
    bank.behave({ webhooks: 'lose' })
    const { event } = await world()
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

  test('told by the webhook, the return page and the worker at the same moment is settled once', async () => {
    bank.behave({ webhooks: 'keep' })
    const other = await app.another()
    const { event } = await world()
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

  test('abandoned frees its seat by itself, and its session can no longer be paid', async () => {
    const { event } = await world({ maxAttendees: 1 })
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

  test('paid after its hold ended gets a seat if one is left, else the money goes back and a mail says so', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event } = await world({ maxAttendees: 2 })
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

  test('whose bank did not answer is held, and can be paid when it does again', async () => {
    for (const api of ['fail', 'refuse', 'drop'] as const) {
      const { event } = await world()
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
    // One that was opened though its answer was lost is not opened again: somebody might pay both.
    expect(bank.sessions()).toHaveLength(3)
  })

  test('whose hold ended is taken up again while there is a place, by who holds it alone', async () => {
    const { event } = await world({ maxAttendees: 1 })
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

    const gone = await world({ maxAttendees: 1 })
    const first = await begin(gone.event)
    later(31 * MINUTE)
    await begin(gone.event)
    const payload = { registrationId: first.registration.id, qrUuid: first.registration.qrUuid }
    await refusalOf(app.call(paymentApi.createCheckout, { payload }), 'SOLD_OUT')
  })
})

describe('what the bank tells', () => {
  test('twice, late and in any order comes to the same', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, token } = await world()
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
    const { event } = await world()
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

  test('of money given back at the bank itself is taken over, and all of it cancels the registration', async () => {
    const { event } = await world()
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

  test('of a dispute waits for staff', async () => {
    const { event, club, token } = await world()
    const { registration, session } = await begin(event)
    await bank.pay(session)
    await bank.dispute(session)
    await bank.settled()
    const needs = () => app.call(clubApi.getNeeds, { clubId: club.id }, token)
    expect(await needs()).toMatchObject([{ kind: 'disputes', count: 1 }])
    // Lost, and the ticket is still valid: staff decide whether it stays so.
    await tell('charge.dispute.closed', { payment_intent: bank.ledger()[0]?.paymentIntent, status: 'lost' })
    expect(await needs()).toMatchObject([{ kind: 'disputes', count: 1 }])
    // What the bank has taken back is no income.
    expect((await ticketOf(registration)).payment).toMatchObject({ paid: 2500, refunded: 0, lost: 2500 })
    const { income } = await app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2030-06-01' }, token)
    expect(income).toEqual({ paid: 2500, refunded: 0, lost: 2500, currency: 'eur' })
    const payload = { id: registration.id, eventId: event.id, status: 'cancelled' as const }
    await app.call(attendeeApi.updateStatus, { payload }, token)
    expect(await needs()).toEqual([])
  })

  test('that is none, or not as Stripe describes it, is refused or kept without effect', async () => {
    for (const body of ['null', '[]', '5', '""', '{}', '{"id":"evt_1","type":"charge.refunded"}'])
      expect(await post(body), body).toBe(400)
    for (const object of [{}, { payment_status: 'paid', payment_intent: 5 }, { payment_intent: 'pi_1', status: null }])
      for (const type of ['checkout.session.completed', 'charge.refunded', 'charge.dispute.created', 'refund.failed'])
        expect(await tell(type, object)).toBe(200)
    const kept = await app.deps.db.selectFrom('stripeEvents').select(['body', 'handledAt']).execute()
    expect(kept).toHaveLength(12)
    for (const { body, handledAt } of kept) expect([body, handledAt !== null]).toEqual([{ kind: 'other' }, true])
  })

  test('of real money, or of another account, is none of ours while the key is a test key', async () => {
    const { event } = await world()
    const { registration, session } = await begin(event)
    const object = { id: session, payment_status: 'paid', payment_intent: 'pi_1', amount_total: 2500, currency: 'eur' }
    expect(await tell('checkout.session.completed', object, { livemode: true })).toBe(200)
    expect(await tell('checkout.session.completed', object, { account: 'acct_1' })).toBe(200)
    expect(await statusOf(registration)).toBe('pending')
  })

  test('that somebody acts on just now is not waited for by whoever settles its payment', async () => {
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

  test('that can never be acted on is given up after some days', async () => {
    const facts = { kind: 'paid', sessionId: 'cs_1', key: '', paymentIntent: 'pi', amount: 10 ** 12, currency: 'eur' }
    const { event } = await world()
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
  test('keeps no seat held, no refund and no word of the bank waiting', async () => {
    const { event, token } = await world({
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

describe('money goes back', () => {
  test('in part and in whole, never more than was paid, however many ask at once', async () => {
    const { event, token } = await world({ maxAttendees: 1 })
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

  test('by itself when staff had given the place for nothing before the payment was heard of', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, token } = await world()
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

  test('by itself when staff cancel the registration, or call the event off', async () => {
    const { event, token } = await world()
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

  test('as often as the bank must be asked, and what it refuses for good waits for staff', async () => {
    const { event, club, token } = await world()
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

    // A part was given back at the bank, of which we have not heard: all of it is more than the bank has.
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

  test('asked for twice with one key goes back once; what is disputed is the bank’s to decide', async () => {
    const { event, token } = await world()
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

  test('as soon as the bank has the money for it, and at once when staff ask', async () => {
    const { event, club, token } = await world()
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

  test('when staff ask for those of an event that was removed meanwhile, and for no other club’s', async () => {
    const { event, club, token } = await world()
    const other = await world()
    for (const each of [event, other.event]) {
      const { session } = await begin(each)
      await bank.pay(session)
    }
    bank.behave({ balance: 'empty' })
    for (const each of [{ event, token }, other])
      await app.call(eventApi.save, { id: each.event.id, status: 'cancelled' }, each.token)
    await paying.finishPayments()
    // Refused while money is owed, so that this happens only where a refund fails after the event has gone.
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

  test('when staff ask for all that the bank has refused for good, each once', async () => {
    const { event, admin, token } = await world()
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
    const { event, club, token } = await world()
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
    await app.deps.db.deleteFrom('refunds').execute()
    await app.deps.db.updateTable('payments').set({ refunded: 0, dispute: 'lost' }).execute()
  })

  test('once, also when the bank’s answer was lost and it has forgotten the key since', async () => {
    const { event, token } = await world()
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

describe('what comes at a bad time', () => {
  test('a refund or a dispute heard of before the payment is not lost', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, club, token } = await world()
    const [one, two] = [await begin(event), await begin(event)]
    for (const { session } of [one, two]) await bank.pay(session)
    const [first, second] = bank.ledger()
    await app.deps.stripe?.client.refunds.create({ payment_intent: first?.paymentIntent ?? '' })
    await bank.dispute(second?.sessionId ?? '')
    for (const { id } of [...bank.events].reverse()) expect(await bank.deliver(id)).toBe(200)
    // At once: what was told too early waits for its payment, and not for a minute.
    await paying.finishPayments()
    expect(await statusOf(one.registration)).toBe('cancelled')
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toMatchObject([{ kind: 'disputes' }])
    await app.finishMails()
    expect(mailsTo(one.registration.registrationData.email)).toContain('Your money goes back: Summer party')
  })

  test('an event of the bank that cannot be acted on holds up nobody behind it', async () => {
    const { event } = await world()
    const { registration, session } = await begin(event)
    const broken = { kind: 'paid', sessionId: session, key: '', paymentIntent: 'pi', amount: 10 ** 12, currency: 'eur' }
    const at = new Date(app.clock.now.getTime() - MINUTE)
    const row = { id: 'evt_broken', body: JSON.stringify(broken), receivedAt: at, runAt: at, handledAt: null }
    await app.deps.db.insertInto('stripeEvents').values(row).execute()
    await bank.pay(session)
    expect(await statusOf(registration)).toBe('confirmed')
    await app.deps.db.deleteFrom('stripeEvents').where('id', '=', 'evt_broken').execute()
  })

  test('two whose names differ only in letters that have no simple small form are one person', async () => {
    const { event } = await world()
    const request = registrationFor(event, { name: 'İbrahim ΝΙΚΟΣ' })
    const { savedRegistration: first } = await app.call(registrationApi.initRegistration, request)
    later(31 * MINUTE)
    await app.call(registrationApi.initRegistration, request)
    const payload = { registrationId: first.id, qrUuid: first.qrUuid }
    await refusalOf(app.call(paymentApi.createCheckout, { payload }), 'ALREADY_REGISTERED')
  })

  test('an event called off closes the sessions that could still be paid, and its club stays until the money is back', async () => {
    const { event, token, club, sudo } = await world()
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

  test('what is paid after its club was removed goes back', async () => {
    const { event, club, sudo } = await world()
    const { session } = await begin(event)
    await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
    await bank.pay(session)
    await paying.finishPayments()
    expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  })

  test('a currency does not change under prices and payments', async () => {
    const { event, token } = await world()
    await begin(event)
    await refusalOf(app.call(eventApi.save, { id: event.id, currency: 'jpy' }, token), 'ILLEGAL_TRANSITION')
    await refusalOf(app.call(eventApi.save, { id: event.id, ticketPrice: 10 }, token), 'INVALID_INPUT')
  })

  test('vouchers put in order while they are sold keep nobody waiting in a circle', async () => {
    // So many from one address at once would be asked for a proof of work.
    app.deps.settings.limits = false
    const { event, token } = await world({ ticketPrice: 0 })
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

describe('what a visitor sends of price and vouchers', () => {
  test('counts for nothing: the bank is told our prices, and a foreign voucher is refused', async () => {
    const { event, token } = await world()
    const other = await world()
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
    const { event, token } = await world({ ticketPrice: 0 })
    const paid = await makeExtras(app, token, event.id, { price: 700 })
    const free = await makeExtras(app, token, event.id, { price: 0 })
    expect((await begin(event, [paid.id])).registration).toMatchObject({ status: 'pending', amount: 700 })
    expect((await begin(event, [free.id])).registration).toMatchObject({ status: 'confirmed', amount: 0 })
  })
})

test('a voucher says that it waits for the payment, is valid with it, and not after a refund', async () => {
  const { event, token } = await world({ ticketPrice: 0 })
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

test('an event that somebody keeps locked does not keep the ended holds of others', async () => {
  const [held, free] = [await world(), await world()]
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
    const { event, token } = await makeWorld(poor)
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
    const { event } = await makeWorld(embedded.app, { ticketPrice: 2500 })
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
