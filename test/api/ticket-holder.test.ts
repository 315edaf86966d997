import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeEvent, makeFixture, makeForm, makeRegistration, scanOf } from '../support/make.ts'
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
  app.call(ticketApi.giveBack, { payload: { registrationId: ticket.id, qrUuid: ticket.qrUuid } })

test('a returned place is freed once, its code is void, and the club is notified', async () => {
  const { event, club, token } = await makeFixture(app, { maxAttendees: 1 })
  await app.call(clubApi.save, { id: club.id, email: 'club@example.org' }, token)
  const ticket = await makeRegistration(app, event, { name: 'Ada', email: 'ada@example.org' })
  await app.finishMails()
  expect(await countOutcomes([giveBack(ticket), giveBack(ticket), giveBack(ticket)])).toEqual({
    ok: 1,
    TICKET_CANCELLED: 2,
  })
  await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token), 'TICKET_CANCELLED')
  const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ticket.id, eventId: event.id }, token)
  expect(timeline.map(({ text }) => text)).toContain('Place given back')
  await makeRegistration(app, event)
  await app.finishMails()
  const news = app.sent.filter(({ to }) => to === 'club@example.org')
  expect(news.map(({ subject, replyTo }) => [subject, replyTo])).toEqual([
    ['A place was given back: Summer party', 'ada@example.org'],
  ])
})

test('only the ticket holder can return a place, before it is used and before the event ends', async () => {
  const { event, token } = await makeFixture(app)
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

test('the ticket holder gets it as PDF and for the calendar, and nobody else does', async () => {
  const { event } = await makeFixture(app)
  const { id: registrationId, qrUuid } = await makeRegistration(app, event)
  for (const [endpoint, start] of [
    [ticketApi.getTicketPdf, '%PDF-'],
    [ticketApi.getCalendarFile, 'BEGIN:VCALENDAR'],
  ] as const) {
    const file = await app.raw(endpoint, { registrationId, qrUuid })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, endpoint.file])
    expect((await file.text()).startsWith(start)).toBe(true)
    expect((await app.raw(endpoint, { registrationId, qrUuid: crypto.randomUUID() })).status).toBe(404)
  }
  await giveBack({ id: registrationId, qrUuid })
  expect((await app.raw(ticketApi.getTicketPdf, { registrationId, qrUuid })).status).toBe(409)
})

test('find my ticket: every ticket of the address is mailed, the answer reveals nothing, and requests are limited', async () => {
  const { event, token } = await makeFixture(app)
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
  expect(app.sent.map(({ to, subject }) => [to.toLowerCase(), subject])).toEqual([
    ['family@example.org', 'Your 2 tickets: Summer party'],
  ])
  await ask('family@example.org')
  await ask('family@example.org')
  expect((await ask('family@example.org')).status).toBe(429)
  const draft = await makeEvent(app, token, { status: 'draft' })
  expect((await ask('family@example.org', draft.id)).status).toBe(404)
})

test('find my tickets: those of all events to come are mailed', async () => {
  const { event, token } = await makeFixture(app)
  const second = await makeEvent(app, token, { name: 'Second' })
  const called = await makeEvent(app, token, { name: 'Called off' })
  const over = await makeEvent(app, token, { name: 'Over' })
  for (const each of [event, second, called, over])
    await makeRegistration(app, each, { name: 'Ada', email: 'ada@example.org' })
  await app.call(eventApi.save, { id: called.id, status: 'cancelled' }, token)
  const past = { startsAt: new Date('2026-01-01'), endsAt: new Date('2026-01-02') }
  await app.deps.db.updateTable('events').set(past).where('id', '=', over.id).execute()
  await app.finishMails()
  app.sent.length = 0
  await app.call(registrationApi.findTicket, { payload: { email: 'ADA@example.org' } })
  await app.finishMails()
  const subjects = ['Your ticket: Second', 'Your ticket: Summer party']
  expect(app.sent.map(({ subject }) => subject).sort()).toEqual(subjects)
})

describe('the ticket holder', () => {
  const correct = (
    { id: registrationId, qrUuid }: { id: number; qrUuid: string },
    data: Partial<Input<typeof ticketApi.correct>['payload']['registrationData']> = {},
  ) =>
    app.call(ticketApi.correct, {
      payload: {
        registrationId,
        qrUuid,
        registrationData: { name: 'Ada L.', phone: '030 7654321', others: [], ...data },
      },
    })

  test('corrects name, phone and answers, which the timeline does not attribute to staff', async () => {
    const { event, token } = await makeFixture(app)
    const [meal] = await makeForm(app, token, event.id, [
      { typeId: 2, text: 'Meal', required: true, options: ['Fish', 'Rice'] },
    ])
    const qId = meal?.id ?? 0
    const ticket = await makeRegistration(app, event, { name: 'Ada', others: [{ qId, answer: 'Fish' }] })
    const { registrationData } = await correct(ticket, { others: [{ qId, answer: 'Rice' }] })
    expect(registrationData).toEqual({
      name: 'Ada L.',
      email: ticket.registrationData.email,
      phone: '+49307654321',
      others: [{ qId, question: 'Meal', answer: 'Rice' }],
    })
    const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ticket.id, eventId: event.id }, token)
    expect(timeline[0]).toMatchObject({ text: 'Corrected: name, phone, answers', by: null })
    expect(timeline.map(({ text }) => text).slice(-2)).toEqual(['Ticket not sent yet', 'Registered'])
    const refusal = await refusalOf(correct(ticket, { phone: '+49 30 1', others: [] }), 'INVALID_INPUT')
    expect(refusal.fields.map(({ path }) => path)).toContain('payload.registrationData.phone')
  })

  test('cannot correct it without its secret, after the deadline, once checked in, or into a person already registered', async () => {
    const correctionsUntil = new Date('2026-11-25T12:00:00Z')
    const { event, token } = await makeFixture(app, { correctionsUntil })
    const ticket = await makeRegistration(app, event, { name: 'Ada', email: 'family@example.org' })
    const other = await makeRegistration(app, event, { name: 'Ben', email: 'family@example.org' })
    await refusalOf(correct({ id: ticket.id, qrUuid: other.qrUuid }), 'NOT_FOUND')
    await refusalOf(correct(ticket, { name: 'ben' }), 'ALREADY_REGISTERED')
    await app.call(checkinApi.scanByRegistrationId, scanOf(other), token)
    await refusalOf(correct(other), 'ALREADY_CHECKED_IN')
    app.clock.now = correctionsUntil
    await refusalOf(correct(ticket), 'CORRECTIONS_CLOSED')
    await giveBack(ticket)
    await refusalOf(correct(ticket), 'TICKET_CANCELLED')
  })

  test('is shown as having opened it, until it is sent again', async () => {
    const { event, token } = await makeFixture(app)
    const ticket = await makeRegistration(app, event)
    const noteOpened = (qrUuid: string, by?: string) =>
      app.call(ticketApi.noteOpened, { payload: { registrationId: ticket.id, qrUuid } }, by)
    const state = async () => {
      const asked = { eventId: event.id, searchKeyword: '', sortBy: 'name' as const, limit: 10 }
      return (await app.call(attendeeApi.getAttendees, asked, token)).attendees[0]?.mail
    }
    expect(await state()).toBe('queued')
    await app.finishMails()
    await refusalOf(noteOpened(crypto.randomUUID()), 'NOT_FOUND')
    await noteOpened(ticket.qrUuid, token)
    expect(await state()).toBe('sent')
    await noteOpened(ticket.qrUuid)
    expect(await state()).toBe('opened')
    app.clock.now = new Date(app.clock.now.getTime() + 60_001)
    await app.call(attendeeApi.sendTicket, { registrationId: ticket.id, eventId: event.id }, token)
    expect(await state()).toBe('queued')
  })
})

test('staff correct an address and send the ticket to it in one step', async () => {
  const { event, token } = await makeFixture(app)
  const { id, registrationData } = await makeRegistration(app, event, { email: 'ada@exmaple.org' })
  await app.finishMails()
  const others: [] = []
  const corrected = { ...registrationData, others, email: 'ada@example.org' }
  const payload = { id, eventId: event.id, registrationData: corrected, extrasIds: [] }
  await app.call(attendeeApi.save, { payload }, token)
  await app.finishMails()
  expect(app.sent.map(({ to }) => to)).toEqual(['ada@exmaple.org'])
  await app.call(attendeeApi.save, { payload: { ...payload, resend: true } }, token)
  await app.finishMails()
  expect(app.sent.map(({ to }) => to)).toEqual(['ada@exmaple.org', 'ada@example.org'])
})
