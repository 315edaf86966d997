import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { makeFixture, makeRegistration, registrationFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('the ticket mail is sent with the way to the ticket, once', async () => {
  const { event } = await makeFixture(app)
  const { id, qrUuid } = await makeRegistration(app, event, { email: 'ada@example.org' })
  await app.finishMails()
  await app.finishMails()

  expect(app.sent).toHaveLength(1)
  expect(app.sent[0]).toMatchObject({ to: 'ada@example.org', subject: 'Your ticket: Summer party' })
  expect(app.sent[0]?.text).toContain(`https://turnout.test/qr/${id}/${qrUuid}`)
  expect(app.sent[0]?.text).toContain('Friday 27/11/2026\n19:00–23:00 CET')
})

test('a mail that the server rejects for now is retried later, and sent once', async () => {
  let refusals = 2
  const sent: string[] = []
  const send = async ({ to }: { to: string }) => {
    if (refusals-- > 0) throw Object.assign(new Error('421 try later'), { responseCode: 421 })
    sent.push(to)
  }
  const failing = await startApp({ mailer: { send, close: () => {} } })
  try {
    const { event } = await makeFixture(failing)
    await makeRegistration(failing, event)
    for (let minutes = 0; minutes <= 8; minutes++) {
      await failing.finishMails()
      failing.clock.now = new Date(failing.clock.now.getTime() + 60_000)
    }
    expect(sent).toHaveLength(1)
  } finally {
    await failing.stop()
  }
})

test('workers of two servers share the queue and send each mail once', async () => {
  const { event } = await makeFixture(app)
  for (let n = 0; n < 30; n++) await makeRegistration(app, event)
  const other = await app.another()
  await Promise.all([app.finishMails(), other.finishMails(), app.finishMails(), other.finishMails()])
  const receivers = [...app.sent, ...other.sent].map(({ to }) => to)
  expect([receivers.length, new Set(receivers).size]).toEqual([30, 30])
})

test('workers of two servers together keep to the pace', async () => {
  const { event } = await makeFixture(app)
  for (let n = 0; n < 30; n++) await makeRegistration(app, event)
  const paced = await startApp({ databaseUrl: app.databaseUrl, settings: { mailsPerMinute: 120 } })
  const other = await startApp({ databaseUrl: app.databaseUrl, settings: { mailsPerMinute: 120 } })
  const sent = () => paced.sent.length + other.sent.length
  await Promise.all([paced.finishMails(), other.finishMails()])
  expect(sent()).toBe(12)
  for (const server of [paced, other]) server.clock.now = new Date(server.clock.now.getTime() + 6_001)
  await Promise.all([paced.finishMails(), other.finishMails()])
  expect(sent()).toBe(24)
  await paced.stop()
  await other.stop()
})

test('a mail that was sent is not sent again when recording it fails', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event)
  // The database refuses to record the mail once, as when it is unavailable.
  await sql`
    create function refuse_note() returns trigger language plpgsql as $$
    begin
      if new.status = 'sent' and nextval('refusals') < 2 then raise exception 'away'; end if;
      return new;
    end $$
  `.execute(app.deps.db)
  await sql`create sequence refusals`.execute(app.deps.db)
  await sql`create trigger refuse before update on mails for each row execute function refuse_note()`.execute(
    app.deps.db,
  )
  await app.finishMails()
  await app.finishMails()
  expect(app.sent).toHaveLength(1)
  expect(await app.deps.db.selectFrom('mails').select(['status', 'lastError']).execute()).toEqual([
    { status: 'sent', lastError: null },
  ])
})

test('no ticket is sent for an event that has been cancelled meanwhile', async () => {
  const { event, token } = await makeFixture(app)
  await makeRegistration(app, event)
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  await app.finishMails()
  expect(app.sent.map(({ subject }) => subject)).toEqual(['Cancelled: Summer party'])
})

test('registering again answers neutrally and mails the ticket again, under the limits of a lost ticket', async () => {
  const { event, token } = await makeFixture(app)
  const person = { name: 'Ada', email: `again-${event.id}@example.org` }
  const mine = registrationFor(event, { ...person, idempotencyKey: 'again' })
  const first = await app.call(registrationApi.initRegistration, mine)
  await app.finishMails()
  const mails = () => app.sent.filter(({ to }) => to === person.email).length
  const again = async () => {
    const refusal = await refusalOf(
      app.call(registrationApi.initRegistration, registrationFor(event, person)),
      'ALREADY_REGISTERED',
    )
    await app.finishMails()
    return refusal.message
  }
  const words =
    'This registration was not made. If you are already on the list, we have sent your ticket to that address again.'
  for (const sent of [2, 3, 4, 4]) {
    expect(await again()).toBe(words)
    expect(mails()).toBe(sent)
  }
  // After a lost answer the request is repeated with its key, which returns the registration itself.
  const { savedRegistration } = await app.call(registrationApi.initRegistration, mine)
  expect(savedRegistration.id).toBe(first.savedRegistration.id)
  // Staff can see the list anyway, so they get a plain error.
  const { newRegistration } = registrationFor(event, person)
  const payload = { eventId: event.id, registrationData: newRegistration.registrationData, extrasIds: [] }
  const plain = 'This person is already registered with this e-mail address.'
  expect((await refusalOf(app.call(attendeeApi.save, { payload }, token), 'ALREADY_REGISTERED')).message).toBe(plain)
  const byStaff = app.call(registrationApi.initRegistration, registrationFor(event, person), token)
  expect((await refusalOf(byStaff, 'ALREADY_REGISTERED')).message).toBe(plain)
  expect(mails()).toBe(4)
})

test('a ticket requested twice before its mail is sent is mailed once', async () => {
  const { event } = await makeFixture(app)
  const person = { name: 'Ada', email: 'ada@example.org' }
  const { id } = await makeRegistration(app, event, person)
  await refusalOf(app.call(registrationApi.initRegistration, registrationFor(event, person)), 'ALREADY_REGISTERED')
  // As if a worker had already taken one mail when the second was requested.
  const { clubId } = event
  const again = { clubId, registrationId: id, kind: 'ticket' as const, runAt: app.clock.now, createdAt: app.clock.now }
  await app.deps.db.insertInto('mails').values(again).execute()
  await app.finishMails()
  expect(app.sent.map(({ subject }) => subject)).toEqual(['Your ticket: Summer party'])
  const rows = await app.deps.db.selectFrom('mails').select('status').execute()
  expect(rows).toEqual([{ status: 'sent' }, { status: 'sent' }])
})
