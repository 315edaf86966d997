import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { makeEvent, makeRegistration, makeWorld, scanOf } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const giveBack = (ticket: { id: number; qrUuid: string }) =>
  app.call(registrationApi.giveBack, { payload: { registrationId: ticket.id, qrUuid: ticket.qrUuid } })

test('a place given back is free once, its code is void, and the club is told', async () => {
  const { event, club, token } = await makeWorld(app, { maxAttendees: 1 })
  await app.call(clubApi.save, { id: club.id, email: 'club@example.org' }, token)
  const ticket = await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  await app.finishMails()
  expect(await countOutcomes([giveBack(ticket), giveBack(ticket), giveBack(ticket)])).toEqual({
    ok: 1,
    TICKET_CANCELLED: 2,
  })
  await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token), 'TICKET_CANCELLED')
  await makeRegistration(app, event)
  await app.finishMails()
  const news = app.sent.filter(({ to }) => to === 'club@example.org')
  expect(news.map(({ subject, replyTo }) => [subject, replyTo])).toEqual([
    ['A place was given back: Summer party', 'ada@example.org'],
  ])
})

test('only who holds the ticket gives it back, before it was used and the event is over', async () => {
  const { event, token } = await makeWorld(app)
  const [used, unused, paid] = [
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  await refusalOf(giveBack({ id: used.id, qrUuid: unused.qrUuid }), 'NOT_FOUND')
  await refusalOf(giveBack({ id: 999_999, qrUuid: unused.qrUuid }), 'NOT_FOUND')
  await app.call(checkinApi.scanByRegistrationId, scanOf(used), token)
  await refusalOf(giveBack(used), 'ALREADY_CHECKED_IN')
  await app.deps.db.updateTable('registrations').set({ amount: 500 }).where('id', '=', paid.id).execute()
  await refusalOf(giveBack(paid), 'HAS_PAID')
  app.clock.now = event.endsAt
  await refusalOf(giveBack(unused), 'EVENT_OVER')
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 3 })
})

test('the holder of a ticket gets it as PDF and for the calendar, and nobody else does', async () => {
  const { event } = await makeWorld(app)
  const { id: registrationId, qrUuid } = await makeRegistration(app, event)
  for (const [endpoint, start] of [
    [registrationApi.getTicketPdf, '%PDF-'],
    [registrationApi.getCalendarFile, 'BEGIN:VCALENDAR'],
  ] as const) {
    const file = await app.raw(endpoint, { registrationId, qrUuid })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, endpoint.file])
    expect((await file.text()).startsWith(start)).toBe(true)
    expect((await app.raw(endpoint, { registrationId, qrUuid: crypto.randomUUID() })).status).toBe(404)
  }
  await giveBack({ id: registrationId, qrUuid })
  expect((await app.raw(registrationApi.getTicketPdf, { registrationId, qrUuid })).status).toBe(409)
})

test('where is my ticket: every ticket of the address is mailed, the answer tells nothing, and not too often', async () => {
  const { event, token } = await makeWorld(app)
  await makeRegistration(app, event, { name: 'Ada', email: 'Family@example.org' })
  await makeRegistration(app, event, { name: 'Ben', email: 'family@example.org' })
  await app.finishMails()
  app.sent.length = 0
  const ask = (email: string, eventId = event.id) =>
    app.raw(registrationApi.findTicket, { payload: { eventId, email } })
  const known = await ask('FAMILY@example.org')
  const unknown = await ask('nobody@example.org')
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()])
  await app.finishMails()
  expect(app.sent.map(({ to }) => to.toLowerCase())).toEqual(['family@example.org', 'family@example.org'])
  await ask('family@example.org')
  await ask('family@example.org')
  expect((await ask('family@example.org')).status).toBe(429)
  const draft = await makeEvent(app, token, { status: 'draft' })
  expect((await ask('family@example.org', draft.id)).status).toBe(404)
})
