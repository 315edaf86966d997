import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { securityApi } from '../../src/contract/security.ts'
import { MOST_WEBHOOKS, type WebhookType, webhookApi, webhookData, webhookTypes } from '../../src/contract/webhooks.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { workOnJobs } from '../../src/server/jobs/worker.ts'
import { sweepOld } from '../../src/server/retention/sweep.ts'
import { makeDeliverer } from '../../src/server/webhooks/deliver.ts'
import { readHistory } from '../support/history.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, PASSWORD, scanOf, tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { app, bank, begin, later, paying, pricedFixture, setUpPayingApp } from '../support/paying.ts'
import type { TestApp } from '../support/start-app.ts'
import { isSignedWith, type Receiver, startReceiver } from '../support/webhook-receiver.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const nextYear = { startsAt: new Date('2027-06-21T18:00:00.000Z'), endsAt: new Date('2027-06-21T22:00:00.000Z') }
let receiver: Receiver
setUpPayingApp()
beforeEach(async () => {
  app.deps.settings.localWebhooks = true
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

/** Sends all that is due. */
async function deliver(by: Pick<TestApp, 'deps'> = app): Promise<void> {
  const deliverer = makeDeliverer(by.deps)
  while ((await deliverer.start()) > 0) await deliverer.waitForAll()
}

const add = (clubId: number, token: string, events: WebhookType[] = [...webhookTypes], url = receiver.url) =>
  app.call(webhookApi.saveWebhook, { payload: { clubId, url, events } }, token)

/** A club with an event and a webhook that is told of everything. */
async function makeHooked() {
  const fixture = await makeFixture(app)
  const { webhook, secret } = await add(fixture.club.id, fixture.token)
  const of = { clubId: fixture.club.id, id: webhook.id }
  return { ...fixture, webhook, secret: secret ?? '', of }
}

const log = ({ clubId, id }: { clubId: number; id: number }, token: string) =>
  app.call(webhookApi.getDeliveries, { clubId, webhookId: id }, token)

/** Messages of a batch may arrive in any order. */
const byType = (a: { type: string }, b: { type: string }) => a.type.localeCompare(b.type)

const cancel = (registration: { id: number; eventId: number }, token: string) =>
  app.call(
    attendeeApi.updateStatus,
    { payload: { id: registration.id, eventId: registration.eventId, status: 'cancelled' } },
    token,
  )

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
    later(72 * HOUR - 1)
    await deliver()
    expect(await webhook()).toMatchObject({ pausedAt: null })
    later(1)
    await makeRegistration(app, event)
    await deliver()
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
    receiver = await startReceiver()
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

describe('the calls', () => {
  test('the secret is shown once; a new one signs beside the one before for a day', async () => {
    const { club, event, token, of, secret } = await makeHooked()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const listed = await (await app.raw(webhookApi.getWebhooks, { clubId: club.id }, { authorization: token })).text()
    expect(listed).not.toContain('whsec_')
    const edited = await app.call(
      webhookApi.saveWebhook,
      { payload: { ...of, url: receiver.url, events: ['registration.created'] } },
      token,
    )
    expect(edited).toMatchObject({ secret: null, webhook: { events: ['registration.created'] } })
    const rolled = await app.call(webhookApi.rollSecret, { payload: of }, token)
    await makeRegistration(app, event)
    await deliver()
    later(24 * HOUR)
    await makeRegistration(app, event)
    await deliver()
    const signed = receiver.received.map((each) => [isSignedWith(secret, each), isSignedWith(rolled.secret, each)])
    expect(signed).toEqual([
      [true, true],
      [false, true],
    ])
    const { rows } = await sql<{
      logged: string
    }>`select coalesce(string_agg(c::text, ''), '') as logged from changes c`.execute(app.deps.db)
    for (const text of ['whsec_', secret, rolled.secret, '/turnout']) expect(rows[0]?.logged).not.toContain(text)
    const history = await readHistory(app, token, club.id)
    expect(JSON.stringify(history)).toContain('Secret of the webhook to 127.0.0.1')
  })

  test('adding, editing and a new secret need a fresh sign-in', async () => {
    const { club, token, of } = await makeHooked()
    later(15 * 60 * SECOND)
    await refusalOf(add(club.id, token), 'CONFIRM_IDENTITY')
    await refusalOf(app.call(webhookApi.rollSecret, { payload: of }, token), 'CONFIRM_IDENTITY')
    await app.call(securityApi.confirmIdentity, { password: PASSWORD }, token)
    await app.call(webhookApi.rollSecret, { payload: of }, token)
  })

  test('nobody sees or changes a webhook of another club', async () => {
    const { sudo, of, event, token } = await makeHooked()
    await makeRegistration(app, event)
    const [delivery] = await log(of, token)
    const other = await makeClub(app, sudo.token)
    const own = { clubId: other.club.id, id: of.id }
    const payload = { payload: own }
    expect(await app.call(webhookApi.getWebhooks, { clubId: own.clubId }, other.token)).toEqual([])
    expect(await log(own, other.token)).toEqual([])
    for (const call of [webhookApi.rollSecret, webhookApi.removeWebhook, webhookApi.sendTest])
      await refusalOf(app.call(call, payload, other.token), 'NOT_FOUND')
    const again = { payload: { clubId: own.clubId, id: delivery?.id ?? 0 } }
    await refusalOf(app.call(webhookApi.sendAgain, again, other.token), 'NOT_FOUND')
    const paused = { payload: { ...own, isPaused: true } }
    await refusalOf(app.call(webhookApi.pauseWebhook, paused, other.token), 'NOT_FOUND')
    const edited = { payload: { ...own, url: receiver.url, events: [...webhookTypes] } }
    await refusalOf(app.call(webhookApi.saveWebhook, edited, other.token), 'NOT_FOUND')
  })

  test('a delivery is sent again under its id, and a test reaches also a paused webhook, once', async () => {
    const { event, token, of } = await makeHooked()
    await makeRegistration(app, event)
    await deliver()
    const [first] = await log(of, token)
    await app.call(webhookApi.sendAgain, { payload: { ...of, id: first?.id ?? 0 } }, token)
    await deliver()
    expect(receiver.received.map(({ id }) => id)).toEqual([first?.messageId, first?.messageId])
    await app.call(webhookApi.pauseWebhook, { payload: { ...of, isPaused: true } }, token)
    await makeRegistration(app, event)
    receiver.answer(400)
    const asked = Array.from({ length: 4 }, () => app.call(webhookApi.sendTest, { payload: of }, token))
    expect(new Set((await Promise.all(asked)).map(({ id }) => id)).size).toBe(1)
    await deliver()
    expect(receiver.received.at(-1)).toMatchObject({ type: 'webhook.test', data: { webhookId: of.id } })
    const [tested, waiting] = await log(of, token)
    expect([tested, waiting]).toMatchObject([{ status: 'failed' }, { status: 'waiting', attempts: 0 }])
  })

  test('a club has at most five, also when they are added at the same moment', async () => {
    const { club, token } = await makeFixture(app)
    const added = Array.from({ length: MOST_WEBHOOKS + 3 }, () => add(club.id, token))
    expect(await countOutcomes(added)).toEqual({ ok: MOST_WEBHOOKS, INVALID_INPUT: 3 })
  })

  test('a webhook that is removed while people register fails none of them', async () => {
    const { event, token, of } = await makeHooked()
    const registering = Array.from({ length: 20 }, () => makeRegistration(app, event))
    await app.call(webhookApi.removeWebhook, { payload: of }, token)
    expect(await countOutcomes(registering)).toEqual({ ok: 20 })
  })

  test('messages are deleted after 30 days, also those that wait; the rest goes with the club', async () => {
    const { admin, club, event, token, sudo, of } = await makeHooked()
    await makeRegistration(app, event)
    await app.call(webhookApi.pauseWebhook, { payload: { ...of, isPaused: true } }, token)
    await sql`update webhook_deliveries set created_at = ${app.clock.now}`.execute(app.deps.db)
    later(30 * 24 * HOUR)
    await sweepOld(app.deps)
    const count = async () => (await sql`select from webhook_deliveries`.execute(app.deps.db)).rows.length
    expect(await count()).toBe(1)
    later(1)
    await sweepOld(app.deps)
    expect(await count()).toBe(0)
    await makeRegistration(app, await makeEvent(app, await tokenFor(app, admin.id), nextYear))
    expect(await count()).toBe(1)
    await app.call(clubApi.removeClub, { clubId: club.id }, await tokenFor(app, sudo.id))
    await workOnJobs(app.deps, jobSteps)
    expect(await count()).toBe(0)
    expect((await sql`select from webhooks`.execute(app.deps.db)).rows).toEqual([])
  })
})

describe('addresses', () => {
  const refused = [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://192.168.0.1:8443/',
    'https://[fd00::1]/',
    'https://user:secret@example.org/',
    'ftp://example.org/',
    'javascript:alert(1)',
    'https://',
    'https://[/',
    '',
  ]

  test('only one of the internet is taken, with TLS; one of this machine where the setting says so', async () => {
    app.deps.settings.localWebhooks = false
    const { club, token } = await makeFixture(app)
    const add = async (url: string) => {
      const payload = { clubId: club.id, url, events: ['registration.created'] }
      return (await app.raw(webhookApi.saveWebhook, { payload }, { authorization: token })).status
    }
    for (const url of refused) expect([url, await add(url)]).toEqual([url, 422])
    expect(await add('https://example.org/hooks?from=turnout')).toBe(200)
    expect(await add(receiver.url)).toBe(422)
    app.deps.settings.localWebhooks = true
    expect(await add(receiver.url)).toBe(200)
    expect(await add('http://192.168.0.1/')).toBe(422)
  })

  test('what was stored is checked again before each try', async () => {
    const { event, token, of } = await makeHooked()
    app.deps.settings.localWebhooks = false
    await makeRegistration(app, event)
    await deliver()
    expect(receiver.received).toEqual([])
    expect(await log(of, token)).toMatchObject([{ status: 'waiting', failure: 'address' }])
  })
})

test('registering in a club without webhooks writes no message', async () => {
  const { event } = await makeFixture(app)
  await app.call(registrationApi.initRegistration, {
    newRegistration: {
      eventId: event.id,
      clubId: event.clubId,
      registrationData: { name: 'Ada', email: 'ada@example.org', phone: '+49 30 1234567', others: [] },
    },
    extrasIds: [],
  })
  expect((await sql`select from webhook_deliveries`.execute(app.deps.db)).rows).toEqual([])
})
