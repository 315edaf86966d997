import { afterEach, beforeEach, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { formatFields } from '../../src/contract/errors.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('an event takes its club’s zone and currency, and an edit changes only what it names', async () => {
  const { event, token } = await makeFixture(app, { description: 'Bring **friends**' })
  expect(event).toMatchObject({
    timeZone: 'Europe/Berlin',
    currency: 'eur',
    descriptionHtml: expect.stringContaining('<strong>friends</strong>'),
  })
  const edited = await app.call(eventApi.save, { id: event.id, name: 'Winter party' }, token)
  expect(edited).toEqual({ ...event, name: 'Winter party', version: 2 })
})

test('a capacity below the places taken is refused, and exactly the places taken is not', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 10 })
  await makeRegistration(app, event)
  await makeRegistration(app, event)
  const refusal = await refusalOf(
    app.call(eventApi.save, { id: event.id, maxAttendees: 1 }, token),
    'CAPACITY_BELOW_TAKEN',
  )
  expect(refusal.fields[0]?.path).toBe('maxAttendees')
  expect(await app.call(eventApi.save, { id: event.id, maxAttendees: 2 }, token)).toMatchObject({ maxAttendees: 2 })
  expect(await app.call(eventApi.save, { id: event.id, maxAttendees: null }, token)).toMatchObject({
    maxAttendees: null,
  })
})

test('an event goes from draft to published to cancelled, and never back from there', async () => {
  const { token } = await makeFixture(app)
  const event = await makeEvent(app, token, { status: 'draft' })
  const to = (status: 'draft' | 'published' | 'cancelled') => app.call(eventApi.save, { id: event.id, status }, token)
  await to('published')
  await to('draft')
  await makeRegistration(app, await to('published'))
  await refusalOf(to('draft'), 'ILLEGAL_TRANSITION')
  await to('cancelled')
  await refusalOf(to('published'), 'ILLEGAL_TRANSITION')
})

test('an event with a price cannot be published while there is no card payment', async () => {
  const { token } = await makeFixture(app)
  await refusalOf(makeEvent(app, token, { ticketPrice: 500 }), 'PAYMENTS_OFF')
  const draft = await makeEvent(app, token, { ticketPrice: 500, status: 'draft' })
  await refusalOf(app.call(eventApi.save, { id: draft.id, status: 'published' }, token), 'PAYMENTS_OFF')
  // A ticket that not everybody can buy has a price, too.
  const other = await makeEvent(app, token, { status: 'draft' })
  const ticketTypes = [{ name: 'Guest' }, { name: 'VIP', price: 5000, access: 'code' as const }]
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId: other.id, ticketTypes } }, token)
  await refusalOf(app.call(eventApi.save, { id: other.id, status: 'published' }, token), 'PAYMENTS_OFF')
})

test('times that contradict each other are refused by field', async () => {
  const { token, event } = await makeFixture(app)
  const wrong = await refusalOf(
    app.call(eventApi.save, { id: event.id, endsAt: event.startsAt }, token),
    'INVALID_INPUT',
  )
  expect(formatFields(wrong.fields)).toEqual([{ path: 'endsAt', msg: 'The end must be after the start.' }])
})

test('only its own staff can see a draft', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const { id: eventId } = await makeEvent(app, token, { status: 'draft' })
  expect(await app.call(eventApi.getEvent, { eventId }, token)).toMatchObject({ status: 'draft' })
  for (const viewer of [undefined, other.token, sudo.token]) {
    await refusalOf(app.call(eventApi.getEvent, { eventId }, viewer), 'NOT_FOUND')
    await refusalOf(app.call(eventApi.getEventByEventIdnClubId, { eventId, clubId: club.id }, viewer), 'NOT_FOUND')
  }
})

test('the club page lists what is published and not over on that day in the club’s zone, soonest first', async () => {
  const { club, token, event } = await makeFixture(app)
  const at = (text: string) => new Date(text)
  const sooner = await makeEvent(app, token, {
    name: 'Sooner',
    startsAt: at('2026-11-20T22:00:00Z'),
    endsAt: at('2026-11-20T22:59:00Z'),
  })
  await makeEvent(app, token, { status: 'draft' })
  const cancelled = await makeEvent(app, token)
  await app.call(eventApi.save, { id: cancelled.id, status: 'cancelled' }, token)
  const on = async (currentDate: string) =>
    (await app.call(eventApi.getAllActiveEvents, { clubId: club.id, currentDate })).map(({ id }) => id)
  expect(await on('2026-11-20')).toEqual([sooner.id, event.id])
  expect(await on('2026-11-21')).toEqual([event.id])
  expect(await on('2026-11-28')).toEqual([])
})

test('the next events are up to three that take registrations now or later, without the given one', async () => {
  const { club, token, event } = await makeFixture(app)
  const inDays = (days: number) => new Date(app.clock.now.getTime() + days * 24 * 60 * 60_000)
  const add = (name: string, days: number, fields: Partial<Parameters<typeof makeEvent>[2]> = {}) =>
    makeEvent(app, token, { name, startsAt: inDays(days), endsAt: inDays(days + 1), ...fields })
  const next = async () =>
    (await app.call(eventApi.getNextEvents, { clubId: club.id, eventId: event.id })).map(({ name }) => name)
  expect(await next()).toEqual([])
  await add('Later', 30, { registrationOpensAt: inDays(2) })
  await add('Open', 20)
  await add('Draft', 4, { status: 'draft' })
  await add('Closed', 5, { registrationClosesAt: inDays(-1) })
  expect(await next()).toEqual(['Open', 'Later'])
  await add('Fourth', 50)
  await add('Third', 40)
  expect(await next()).toEqual(['Open', 'Later', 'Third'])
  await refusalOf(app.call(eventApi.getNextEvents, { clubId: 2_000_000_000, eventId: event.id }), 'NOT_FOUND')
})

test('an event and a club that do not belong together are not found', async () => {
  const { sudo, event } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const wrong = { eventId: event.id, clubId: other.club.id }
  await refusalOf(app.call(eventApi.getEventByEventIdnClubId, wrong), 'NOT_FOUND')
})

test('internal fields cannot be set by adding a key', async () => {
  const { token, event, club } = await makeFixture(app)
  const headers = { authorization: token }
  for (const [endpoint, id] of [
    [eventApi.save, event.id],
    [clubApi.save, club.id],
  ] as const)
    for (const key of ['qrUuid', 'removedAt']) {
      const response = await app.raw(endpoint, { id, [key]: 'x' }, headers)
      expect(await response.json()).toMatchObject({ code: 'INVALID_INPUT', errors: [{ path: key }] })
    }
  // Read-only fields of an answer may be sent back, and change nothing.
  const sentBack = { id: event.id, registrationCount: 5, createdAt: '2026-01-01T00:00:00Z' }
  expect((await app.raw(eventApi.save, sentBack, headers)).status).toBe(200)
  const { registrationCount, createdAt } = await app.call(eventApi.getEvent, { eventId: event.id })
  expect([registrationCount, createdAt]).toEqual([0, event.createdAt])
})

test('the operator sees all clubs with their events counted; an admin edits only their own', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  expect(await app.call(clubApi.getAllClubs, {}, sudo.token)).toMatchObject([
    { id: other.club.id, eventCount: 0 },
    { id: club.id, eventCount: 1 },
  ])
  expect(await app.call(clubApi.save, { id: club.id, phone: '+49 30 1234567' }, token)).toMatchObject({
    name: club.name,
    phone: '+49 30 1234567',
  })
  await refusalOf(app.call(clubApi.save, { id: other.club.id, name: 'Taken over' }, token), 'NOT_FOUND')
  await refusalOf(app.call(clubApi.save, { name: 'One more' }, token), 'NOT_ALLOWED')
})

test('a registration does not count as an edit of its event', async () => {
  const { event, token } = await makeFixture(app)
  await makeRegistration(app, event)
  await app.call(eventApi.save, { id: event.id, version: event.version, name: 'Still mine' }, token)
})

test('an event is removed with its registrations, unless somebody paid', async () => {
  const { event, token } = await makeFixture(app)
  const { id } = await makeRegistration(app, event)
  const paid = (amount: number) =>
    app.deps.db.updateTable('registrations').set({ amount }).where('id', '=', id).execute()
  await paid(500)
  await refusalOf(app.call(eventApi.removeEvent, { eventId: event.id }, token), 'HAS_PAID')
  await paid(0)
  expect(await app.call(eventApi.removeEvent, { eventId: event.id }, token)).toMatchObject({ id: event.id })
  await refusalOf(app.call(eventApi.getEvent, { eventId: event.id }, token), 'NOT_FOUND')
})
