import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { securityApi } from '../../src/contract/security.ts'
import { MOST_WEBHOOKS, webhookApi, webhookTypes } from '../../src/contract/webhooks.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { workOnJobs } from '../../src/server/jobs/worker.ts'
import { sweepOld } from '../../src/server/retention/sweep.ts'
import { readHistory } from '../support/history.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, PASSWORD, tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { app, later } from '../support/paying.ts'
import { isSignedWith } from '../support/webhook-receiver.ts'
import { add, deliver, HOUR, log, makeHooked, receiver, SECOND, setUpWebhooks } from '../support/webhooks.ts'

const nextYear = { startsAt: new Date('2027-06-21T18:00:00.000Z'), endsAt: new Date('2027-06-21T22:00:00.000Z') }
setUpWebhooks()

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
    // The answer to the first was lost: the one that the receiver has goes on as well.
    await app.call(webhookApi.rollSecret, { payload: of }, token)
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

  test('one with a long log is removed in portions', async () => {
    const { token, of, club } = await makeHooked()
    await sql`
      insert into webhook_deliveries (webhook_id, type, body, status)
      select ${of.id}, 'registration.created', '{}', 'delivered' from generate_series(1, 2500)
    `.execute(app.deps.db)
    await app.call(webhookApi.removeWebhook, { payload: of }, token)
    expect(await app.call(webhookApi.getWebhooks, { clubId: club.id }, token)).toEqual([])
    await refusalOf(app.call(webhookApi.removeWebhook, { payload: of }, token), 'NOT_FOUND')
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
