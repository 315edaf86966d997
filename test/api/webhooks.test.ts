import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { webhookApi, webhookData } from '../../src/contract/webhooks.ts'
import { makeDeliverer } from '../../src/server/webhooks/deliver.ts'
import { makeClub, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { app, bank, begin, later, paying, pricedFixture } from '../support/paying.ts'
import { isSignedWith, startReceiver } from '../support/webhook-receiver.ts'
import { add, cancel, deliver, HOUR, log, makeHooked, receiver, SECOND, setUpWebhooks } from '../support/webhooks.ts'

setUpWebhooks()

/** Messages of a batch may arrive in any order. */
const byType = (a: { type: string }, b: { type: string }) => a.type.localeCompare(b.type)

describe('what is told', () => {
  test('a registration, its check-in and its cancellation, each once, signed, without personal data', async () => {
    const { club, event, token, secret } = await makeHooked()
    const person = { name: 'Zyxela Quorvath', email: 'zyxela@mail.example', phone: '+49 30 5551239' }
    const ticket = await makeRegistration(app, event, person)
    await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
    const again = app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
    await refusalOf(again, 'ALREADY_CHECKED_IN')
    await cancel(ticket, token)
    await deliver()
    const of = { clubId: club.id, eventId: event.id, registrationId: ticket.id }
    expect(receiver.received.map(({ type, data }) => ({ type, ...data })).sort(byType)).toEqual([
      { type: 'registration.cancelled', ...of, status: 'cancelled', amount: 0, currency: 'eur', reason: 'staff' },
      { type: 'registration.created', ...of, status: 'confirmed', amount: 0, currency: 'eur' },
      { type: 'ticket.checked_in', ...of, checkedInAt: app.clock.now.toISOString() },
    ])
    for (const received of receiver.received) {
      expect(isSignedWith(secret, received)).toBe(true)
      expect(isSignedWith(secret, { ...received, body: `${received.body} ` })).toBe(false)
      expect(received.id).toMatch(/^msg_\w{32}$/)
      for (const text of ['Quorvath', 'mail.example', '5551239', ticket.qrUuid])
        expect(received.body).not.toContain(text)
    }
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
    await deliver()
    expect(receiver.received).toHaveLength(3)
  })

  test('a payment and its refunds; the registration is pending before, and cancelled after the last', async () => {
    const { club, event, token } = await pricedFixture()
    await add(club.id, token)
    const { registration, session } = await begin(event)
    await bank.pay(session)
    const of = { registrationId: registration.id, eventId: event.id }
    await app.call(paymentApi.refund, { payload: { ...of, amount: 500 } }, token)
    await app.call(paymentApi.refund, { payload: of }, token)
    await paying.finishPayments()
    await deliver()
    const told = receiver.received.map(({ type, data }) => [type, data.status ?? data.reason, data.amount])
    expect(told).toHaveLength(5)
    expect(told).toEqual(
      expect.arrayContaining([
        ['registration.created', 'pending', 2500],
        ['payment.received', undefined, 2500],
        ['payment.refunded', undefined, 500],
        ['payment.refunded', undefined, 2000],
        ['registration.cancelled', 'cancelled', 2500],
      ]),
    )
    const payment = receiver.received.find(({ type }) => type === 'payment.received')
    expect(payment?.data).toMatchObject({ clubId: club.id, ...of, currency: 'eur' })
  })

  test('all of it is as the reference describes it', async () => {
    const { club, event, token } = await pricedFixture()
    const { webhook } = await add(club.id, token)
    const { registration, session } = await begin(event)
    await bank.pay(session)
    await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
    await app.call(paymentApi.refund, { payload: { registrationId: registration.id, eventId: event.id } }, token)
    await paying.finishPayments()
    await app.call(webhookApi.sendTest, { payload: { clubId: club.id, id: webhook.id } }, token)
    await deliver()
    const types = Object.keys(webhookData)
    expect([...new Set(receiver.received.map(({ type }) => type))].sort()).toEqual(types.sort())
    for (const { type, data } of receiver.received) {
      const schema: z.ZodMiniObject | undefined = new Map(Object.entries(webhookData)).get(type)
      expect(Object.keys(data).sort()).toEqual(Object.keys(schema?.shape ?? {}).sort())
      expect(schema && z.safeParse(schema, data)).toMatchObject({ success: true })
    }
  })

  test('one that was cancelled and counts again, and a check-in after one undone', async () => {
    const { event, token, of } = await makeHooked()
    const ticket = await makeRegistration(app, event)
    await cancel(ticket, token)
    const payload = { id: ticket.id, eventId: event.id, status: 'confirmed' as const }
    await app.call(attendeeApi.updateStatus, { payload }, token)
    for (const status of [true, false, true])
      await app.call(
        checkinApi.save,
        { payload: { newCheckin: { registrationId: ticket.id, status }, eventId: event.id } },
        token,
      )
    await cancel(ticket, token)
    await deliver()
    const [made, cancelled, checkedIn] = ['registration.created', 'registration.cancelled', 'ticket.checked_in']
    const told = (await log(of, token)).map(({ type }) => type).reverse()
    expect(told).toEqual([made, cancelled, made, checkedIn, checkedIn, cancelled])
    expect(receiver.received.map(({ type }) => type).sort()).toEqual(told.sort())
  })

  test('many that change in one statement, each once', async () => {
    const { event, token } = await makeHooked()
    const tickets = await Promise.all(Array.from({ length: 10 }, () => makeRegistration(app, event)))
    const payload = { eventId: event.id, registrationIds: tickets.map(({ id }) => id) }
    for (const action of ['check in', 'cancel', 'cancel'] as const)
      await app.call(attendeeApi.changeMany, { payload: { ...payload, action } }, token)
    await deliver()
    const told = receiver.received.map(({ type, data }) => `${type} ${data.registrationId}`)
    expect(told).toHaveLength(30)
    expect(new Set(told).size).toBe(30)
  })

  test('only to webhooks of the club, and only what each is for; a registration that is refused tells nothing', async () => {
    const { club, event, token, sudo } = await makeFixture(app, { maxAttendees: 1 })
    const other = await makeClub(app, sudo.token)
    await add(other.club.id, other.token)
    await add(club.id, token, ['registration.cancelled'])
    const ticket = await makeRegistration(app, event)
    await refusalOf(makeRegistration(app, event), 'SOLD_OUT')
    await cancel(ticket, token)
    await deliver()
    expect(receiver.received.map(({ type }) => type)).toEqual(['registration.cancelled'])
    const { rows } = await sql`select from webhook_deliveries`.execute(app.deps.db)
    expect(rows).toHaveLength(1)
  })
})

describe('retries', () => {
  test('the gaps grow up to six hours, the id and the body stay, and after three days it is given up and paused', async () => {
    receiver.answer(500)
    const { event, token, of, secret } = await makeHooked()
    await makeRegistration(app, event)
    const start = app.clock.now.getTime()
    const tries: number[] = []
    for (let waiting = true; waiting; ) {
      await deliver()
      tries.push((app.clock.now.getTime() - start) / SECOND)
      const [delivery] = await log(of, token)
      expect(delivery).toMatchObject({ answerCode: 500, attempts: tries.length })
      expect(receiver.received).toHaveLength(tries.length)
      waiting = delivery?.status === 'waiting'
      if (delivery?.runAt) {
        app.clock.now = new Date(delivery.runAt.getTime() - 1)
        await deliver()
        expect(receiver.received).toHaveLength(tries.length)
        later(1)
      }
    }
    expect(tries.slice(0, 8)).toEqual([0, 10, 50, 210, 850, 3410, 13_650, 35_250])
    expect(tries.at(-1)).toBeGreaterThan(66 * 3600)
    expect(tries.at(-1)).toBeLessThanOrEqual(72 * 3600)
    const [first, ...others] = receiver.received
    for (const { id, body } of others) expect([id, body]).toEqual([first?.id, first?.body])
    for (const received of receiver.received) expect(isSignedWith(secret, received)).toBe(true)
    expect(await log(of, token)).toMatchObject([{ status: 'failed', runAt: null }])
  })

  test('a webhook at which nothing arrives for three days is paused; what happens meanwhile waits', async () => {
    receiver.answer(503)
    const { club, event, token, of } = await makeHooked()
    const webhook = async () => (await app.call(webhookApi.getWebhooks, { clubId: club.id }, token))[0]
    await makeRegistration(app, event)
    await deliver()
    expect(await webhook()).toMatchObject({ failingSince: app.clock.now, pausedAt: null })
    later(65 * HOUR)
    await deliver()
    expect(await webhook()).toMatchObject({ pausedAt: null })
    // The message before is given up, since its next try would be too late.
    later(7 * HOUR)
    await makeRegistration(app, event)
    await deliver()
    expect(await webhook()).toMatchObject({ pausedBy: 'failing', pausedAt: app.clock.now })
    receiver.answer(204)
    const before = receiver.received.length
    await makeRegistration(app, event)
    await deliver()
    expect(receiver.received).toHaveLength(before)
    await app.call(webhookApi.pauseWebhook, { payload: { ...of, isPaused: false } }, token)
    await deliver()
    expect(await webhook()).toMatchObject({ pausedAt: null, pausedBy: null, failingSince: null })
    expect((await log(of, token)).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'failed'])
  })

  test('a success ends the failing, and a redirect is no success and is not followed', async () => {
    receiver.answer(302)
    const { club, event, token, of } = await makeHooked()
    await makeRegistration(app, event)
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect(await log(of, token)).toMatchObject([{ status: 'waiting', answerCode: 302 }])
    receiver.answer(200)
    later(10 * SECOND)
    await deliver()
    expect(await log(of, token)).toMatchObject([{ status: 'delivered', answerCode: 200, attempts: 2 }])
    expect(await app.call(webhookApi.getWebhooks, { clubId: club.id }, token)).toMatchObject([{ failingSince: null }])
  })

  test('a receiver that does not listen, and one that answers without end', async () => {
    const { event, token, of } = await makeHooked()
    receiver.answer((answer) => {
      answer.writeHead(200)
      const flood = () => {
        while (answer.write('x'.repeat(65_536)));
        answer.once('drain', flood)
      }
      flood()
    })
    await makeRegistration(app, event)
    await deliver()
    expect(await log(of, token)).toMatchObject([{ status: 'delivered' }])
    await receiver.stop()
    await makeRegistration(app, event)
    await deliver()
    const [latest] = await log(of, token)
    expect(latest).toMatchObject({ status: 'waiting', answerCode: null, failure: 'unreachable' })
  })

  test('a receiver that switches protocols has given no answer', async () => {
    const { event, token, of } = await makeHooked()
    receiver.answer((answer) => {
      answer.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n')
    })
    await makeRegistration(app, event)
    await deliver()
    expect(await log(of, token)).toMatchObject([{ status: 'waiting', failure: 'unreachable' }])
  })

  test('several servers send each message once, and one that was killed is followed by another under the same id', async () => {
    const { event, token, of } = await makeHooked()
    const other = await app.another()
    await Promise.all(Array.from({ length: 30 }, () => makeRegistration(app, event)))
    await Promise.all([deliver(), deliver(other), deliver(), deliver(other)])
    await deliver()
    expect(receiver.received).toHaveLength(30)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(30)

    // As if it ended between the answer and its record.
    await sql`update webhook_deliveries set status = 'waiting', locked_until = ${new Date(app.clock.now.getTime() + 30 * SECOND)}
      where id = ${(await log(of, token))[0]?.id}`.execute(app.deps.db)
    await deliver(other)
    expect(receiver.received).toHaveLength(30)
    other.clock.now = new Date(app.clock.now.getTime() + 30 * SECOND)
    await deliver(other)
    expect(receiver.received).toHaveLength(31)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(30)
  })

  test('a webhook that hangs does not keep the others waiting', async () => {
    const { club, event, token } = await makeHooked()
    const slow = await startReceiver()
    slow.answer(() => {})
    await add(club.id, token, ['registration.created'], slow.url)
    await makeRegistration(app, event)
    const deliverer = makeDeliverer(app.deps)
    expect(await deliverer.start()).toBe(2)
    await deliverer.waitForOne(5_000)
    await makeRegistration(app, event)
    expect(await deliverer.start()).toBe(1)
    await deliverer.waitForOne(5_000)
    expect(receiver.received).toHaveLength(2)
    expect(slow.received).toHaveLength(1)
    await slow.stop()
    await deliverer.waitForAll()
  })
})
