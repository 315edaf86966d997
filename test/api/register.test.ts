import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, registrationFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('a visitor is confirmed at once, takes a seat, and can see the ticket with its secret', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 10 })
  const registration = await makeRegistration(app, event, { name: ' Ada Lovelace ', email: 'ada@example.org' })

  expect(registration).toMatchObject({ status: 'confirmed', amount: 0, registrationData: { name: 'Ada Lovelace' } })
  const { id: registrationId, qrUuid } = registration
  const ticket = await app.call(ticketApi.getRegistration, { registrationId, qrUuid })
  expect(ticket).toMatchObject({ registration: { id: registrationId }, event: { registrationCount: 1 }, checkin: null })
  await verify(app.deps.db)
})

test('without the right secret there is no ticket, for a visitor and for another club’s staff', async () => {
  const { event, sudo, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const { id: registrationId } = await makeRegistration(app, event)
  const wrong = { registrationId, qrUuid: crypto.randomUUID() }

  await refusalOf(app.call(ticketApi.getRegistration, wrong), 'NOT_FOUND')
  await refusalOf(app.call(ticketApi.getRegistration, { registrationId }), 'NOT_FOUND')
  await refusalOf(app.call(ticketApi.getRegistration, { registrationId }, other.token), 'NOT_FOUND')
  await refusalOf(app.call(ticketApi.getRegistration, { registrationId }, sudo.token), 'NOT_FOUND')
  expect(await app.call(ticketApi.getRegistration, { registrationId }, token)).toBeTruthy()
})

test('the same person is not registered twice, whatever the case and the spaces; a second child is', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event, { name: 'Ada', email: 'Parent@example.org' })
  const again = registrationFor(event, { name: ' ADA ', email: ' parent@Example.org' })
  await refusalOf(app.call(registrationApi.initRegistration, again), 'ALREADY_REGISTERED')
  await makeRegistration(app, event, { name: 'Ben', email: 'parent@example.org' })
})

test('a person who is already registered is told so, also when the event is full', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 1 })
  const person = { name: 'Bo', email: 'bo@example.org' }
  await makeRegistration(app, event, person)
  await refusalOf(app.call(registrationApi.initRegistration, registrationFor(event, person)), 'ALREADY_REGISTERED')
  await refusalOf(app.call(registrationApi.initRegistration, registrationFor(event)), 'SOLD_OUT')
})

test('registering for an event that is not open is refused with the reason', async () => {
  const { token, event } = await makeFixture(app)
  const at = (text: string) => new Date(text)
  const cases = [
    { fields: { status: 'draft' as const }, code: 'NOT_FOUND' },
    { fields: { registrationOpensAt: at('2026-11-21T00:00:00Z') }, code: 'REGISTRATION_NOT_OPEN' },
    { fields: { registrationClosesAt: at('2026-11-20T00:00:00Z') }, code: 'REGISTRATION_CLOSED' },
    { fields: { startsAt: at('2026-11-19T00:00:00Z'), endsAt: at('2026-11-20T00:00:00Z') }, code: 'EVENT_OVER' },
  ]
  for (const { fields, code } of cases) {
    const closed = await makeEvent(app, token, fields)
    await refusalOf(app.call(registrationApi.initRegistration, registrationFor(closed)), code)
  }
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  await refusalOf(app.call(registrationApi.initRegistration, registrationFor(event)), 'EVENT_CANCELLED')
})

test('a used idempotency key with another body is refused', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event, { idempotencyKey: 'k' })
  const other = registrationFor(event, { idempotencyKey: 'k' })
  await refusalOf(app.call(registrationApi.initRegistration, other), 'IDEMPOTENCY_MISMATCH')
})

test('a used idempotency key with the same number in another notation is the same registration', async () => {
  const { event } = await makeFixture(app)
  const person = { name: 'Paula', email: 'paula@example.org', idempotencyKey: 'spaces' }
  const first = await makeRegistration(app, event, { ...person, phone: '+49 30 123-4567' })
  expect((await makeRegistration(app, event, { ...person, phone: '+49301234567' })).id).toBe(first.id)
})

test('bad input names every field, unknown keys are refused, and nothing is saved', async () => {
  const { event } = await makeFixture(app)
  const good = registrationFor(event)
  const data = good.newRegistration.registrationData
  const cases = [
    { change: { name: '' }, field: 'name' },
    { change: { name: 'x'.repeat(121) }, field: 'name' },
    { change: { name: 'a\u0000b' }, field: 'name' },
    { change: { email: 'a b@example.org' }, field: 'email' },
    { change: { phone: 'call me' }, field: 'phone' },
    { change: { status: 'confirmed' }, field: 'status' },
    { change: { others: [{ qId: 1, answer: 'x' }] }, field: 'others.0.qId' },
  ]
  for (const { change, field } of cases) {
    const body = { ...good, newRegistration: { ...good.newRegistration, registrationData: { ...data, ...change } } }
    const response = await app.raw(registrationApi.initRegistration, body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: [{ path: `newRegistration.registrationData.${field}` }] })
  }
  const missing = await app.raw(registrationApi.initRegistration, {})
  expect(missing.status).toBe(422)
  expect((await app.raw(registrationApi.initRegistration, '[1]')).status).toBe(400)
  expect((await app.raw(registrationApi.initRegistration, '{')).status).toBe(400)
  const text = await app.raw(registrationApi.initRegistration, 'x', { 'content-type': 'text/plain' })
  expect(text.status).toBe(415)
  const huge = await app.raw(registrationApi.initRegistration, { pad: 'x'.repeat(1_100_000) })
  expect(huge.status).toBe(413)
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 0 })
})

test('database constraints refuse overbooking, duplicate people and two check-ins', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 1 })
  const { id } = await makeRegistration(app, event)
  const { db } = app.deps
  const overfull = db.updateTable('events').set({ registrationCount: 2 }).where('id', '=', event.id).execute()
  await expect(overfull).rejects.toMatchObject({ constraint: 'events_capacity' })

  const row = await db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { id: _, ...columns } = row
  const twin = { ...columns, others: '[]', email: row.email.toUpperCase(), qrUuid: crypto.randomUUID() }
  await expect(db.insertInto('registrations').values(twin).execute()).rejects.toMatchObject({
    constraint: 'registrations_live_key',
  })
  const checkin = { registrationId: id, status: true, checkinTime: app.clock.now, checkedInBy: 'Ana' }
  await db.insertInto('checkins').values(checkin).execute()
  await expect(db.insertInto('checkins').values(checkin).execute()).rejects.toMatchObject({
    constraint: 'checkins_registration_key',
  })
})
