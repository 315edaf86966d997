import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { historyApi } from '../../src/contract/history.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeFixture, registrationFor } from '../support/make.ts'
import { atOnce, countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app, { maxAttendees: 50 })
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Types = Input<typeof ticketTypeApi.saveTicketTypes>['payload']['ticketTypes']

const list = (token?: string) => app.call(ticketTypeApi.getTicketTypes, { eventId: fixture.event.id }, token)
const save = (ticketTypes: Types, more: object = {}) =>
  app.call(
    ticketTypeApi.saveTicketTypes,
    { payload: { eventId: fixture.event.id, ticketTypes, ...more } },
    fixture.token,
  )
const event = () => app.call(eventApi.getEvent, { eventId: fixture.event.id })

function register(ticketTypeId?: number, server = app) {
  const request = registrationFor(fixture.event)
  const newRegistration = { ...request.newRegistration, ...(ticketTypeId !== undefined && { ticketTypeId }) }
  return server.call(registrationApi.initRegistration, { ...request, newRegistration })
}
const ticketOf = (registrationId: number) => app.call(ticketApi.getRegistration, { registrationId }, fixture.token)
const setStatus = (id: number, status: 'cancelled' | 'confirmed') =>
  app.call(attendeeApi.updateStatus, { payload: { id, eventId: fixture.event.id, status } }, fixture.token)

/** The event’s first type, with others beside it. */
async function withTypes(...others: Types) {
  const [first] = await list()
  if (!first) throw new Error('An event has a ticket type.')
  return save([{ id: first.id }, ...others])
}
const one = <T>(row: T | undefined): T => {
  if (row === undefined) throw new Error('A type is missing.')
  return row
}

test('every event has one type, whose price is that of the event', async () => {
  expect(await list()).toMatchObject([{ name: 'Ticket', price: 0, maxQuantity: null, soldCount: 0, removedAt: null }])
  await app.call(eventApi.save, { id: fixture.event.id, ticketPrice: 1500, status: 'draft' }, fixture.token)
  expect(await list(fixture.token)).toMatchObject([{ price: 1500 }])
  const [type] = await list(fixture.token)
  await save([{ id: one(type).id, price: 2000 }])
  expect(await app.call(eventApi.getEvent, { eventId: fixture.event.id }, fixture.token)).toMatchObject({
    ticketPrice: 2000,
    ticketPriceTo: 2000,
  })
})

test('types are saved as a whole: in order, with what is left out as it was, and the rest taken off sale', async () => {
  const [first, child] = await withTypes({ name: 'Child', maxQuantity: 5 })
  const sold = await register(one(child).id)
  const saved = await save([
    { name: 'Member', description: 'With a card' },
    { id: one(first).id, name: 'Adult' },
  ])
  expect(saved.map(({ name, removedAt }) => [name, removedAt === null])).toEqual([
    ['Member', true],
    ['Adult', true],
    ['Child', false],
  ])
  // Visitors see what is on sale; the ticket sold stays what it is.
  expect((await list()).map(({ name }) => name)).toEqual(['Member', 'Adult'])
  expect(await ticketOf(sold.savedRegistration.id)).toMatchObject({ ticketType: { name: 'Child' } })
  await refusalOf(register(one(child).id), 'INVALID_INPUT')
  // One that nobody ever had is gone.
  expect((await save([{ id: one(first).id }])).map(({ name }) => name)).toEqual(['Adult', 'Child'])
  const history = await app.call(historyApi.getHistory, { clubId: fixture.event.clubId }, fixture.token)
  expect(history.entries[0]).toMatchObject({ action: 'Tickets on sale changed' })
  expect(history.entries[0]?.changes).toMatchObject([{ field: 'Ticket taken off sale', before: 'Member' }])
})

test('a type taken off sale comes back as it was when it is named again', async () => {
  const [first, child] = await withTypes({ name: 'Child', description: 'Up to 12', maxQuantity: 1 })
  await register(one(child).id)
  const gone = (await save([{ id: one(first).id }])).find(({ name }) => name === 'Child')
  expect(gone?.removedAt).not.toBeNull()
  // A list from before the removal does not bring it back.
  await refusalOf(save([{ id: one(first).id }, { id: one(child).id }]), 'INVALID_INPUT')
  const back = await save([{ id: one(first).id }, { id: one(child).id, putBack: true }])
  expect(back).toMatchObject([
    { name: 'Ticket' },
    { name: 'Child', description: 'Up to 12', maxQuantity: 1, soldCount: 1, removedAt: null },
  ])
  // Whoever edits it as it was before reads it again first.
  expect(back[1]?.version).toBeGreaterThan(gone?.version ?? 0)
  expect((await list()).map(({ name }) => name)).toEqual(['Ticket', 'Child'])
  await refusalOf(register(one(child).id), 'SOLD_OUT')
  const history = await app.call(historyApi.getHistory, { clubId: fixture.event.clubId }, fixture.token)
  expect(history.entries[0]?.changes).toMatchObject([{ field: 'Ticket back on sale', after: 'Child' }])
  // Its name may have been given to another one meanwhile.
  await save([{ id: one(first).id, name: 'Child' }])
  await refusalOf(save([{ id: one(first).id }, { id: one(child).id, putBack: true }]), 'INVALID_INPUT')
})

test('wrong types are refused by the name of their field, and change nothing', async () => {
  const [first] = await list()
  const { id } = one(first)
  const wrong: [Types, string][] = [
    [[], 'payload.ticketTypes'],
    [[{ id }, { price: 0 }], 'payload.ticketTypes.1.name'],
    [[{ id }, { name: 'ticket' }], 'payload.ticketTypes.1.name'],
    [[{ id }, { id }], 'payload.ticketTypes.1.id'],
    [[{ id: 999_999 }], 'payload.ticketTypes.0.id'],
    [[{ id, saleOpensAt: new Date(2_000), saleClosesAt: new Date(1_000) }], 'payload.ticketTypes.0.saleClosesAt'],
  ]
  for (const [types, path] of wrong)
    expect((await refusalOf(save(types), 'INVALID_INPUT')).fields.map((field) => field.path)).toEqual([path])
  await refusalOf(save([{ id }, { name: 'Late' }], { seen: [{ id, version: 99 }] }), 'EDIT_CONFLICT')
  await refusalOf(save([{ id, price: 500 }]), 'PAYMENTS_OFF')
  expect(await list()).toEqual([first])
})

test('a number below what is sold is refused', async () => {
  const [first, child] = await withTypes({ name: 'Child' })
  await register(one(child).id)
  await register(one(child).id)
  const lowered = save([{ id: one(first).id }, { id: one(child).id, maxQuantity: 1 }])
  expect((await refusalOf(lowered, 'CAPACITY_BELOW_TAKEN')).fields).toMatchObject([
    { path: 'payload.ticketTypes.1.maxQuantity' },
  ])
})

test('with several, the event’s price is the lowest, and changes with them alone', async () => {
  const other = await makeFixture(app, { status: 'draft' })
  const payload = {
    eventId: other.event.id,
    ticketTypes: [
      { name: 'A', price: 2000 },
      { name: 'B', price: 500 },
    ],
  }
  await app.call(ticketTypeApi.saveTicketTypes, { payload }, other.token)
  const read = () => app.call(eventApi.getEvent, { eventId: other.event.id }, other.token)
  expect(await read()).toMatchObject({ ticketPrice: 500, ticketPriceTo: 2000 })
  await refusalOf(app.call(eventApi.save, { id: other.event.id, ticketPrice: 700 }, other.token), 'INVALID_INPUT')
  await app.call(eventApi.save, { id: other.event.id, ticketPrice: 500, name: 'Renamed' }, other.token)
  expect(await read()).toMatchObject({ name: 'Renamed', ticketPrice: 500, ticketPriceTo: 2000 })
})

test('the places of a type and of the event both hold, for everybody at once, at two servers', async () => {
  const [, child] = await withTypes({ name: 'Child', maxQuantity: 20 })
  const servers = [app, await app.another()]
  const ask = (n: number) => register(n % 3 === 0 ? undefined : one(child).id, servers[n % 2])
  const counts = await countOutcomes(
    atOnce(
      Array.from({ length: 300 }, (_, n) => n),
      100,
      ask,
    ),
  )
  // 100 ask for the unlimited one and 200 for 20 others: nobody takes a place of the event from somebody without getting a ticket.
  expect(counts).toEqual({ ok: 50, SOLD_OUT: 250 })
  expect((await list())[1]?.soldCount).toBeLessThanOrEqual(20)
  expect(await event()).toMatchObject({ registrationCount: 50 })
})

test('one whose type is sold out takes no place from the others who ask at the same moment', async () => {
  const [, child] = await withTypes({ name: 'Child', maxQuantity: 1 })
  await app.call(eventApi.save, { id: fixture.event.id, maxAttendees: 11 }, fixture.token)
  const counts = await countOutcomes([
    ...Array.from({ length: 30 }, () => register(one(child).id)),
    ...Array.from({ length: 10 }, () => register()),
  ])
  expect(counts).toEqual({ ok: 11, SOLD_OUT: 29 })
  const refusal = await refusalOf(register(one(child).id), 'SOLD_OUT')
  expect(refusal.payload).toMatchObject({ left: 0 })
})

test('a sold-out type says which, and a place that is free again is sold again', async () => {
  const [, child] = await withTypes({ name: 'Child', maxQuantity: 1 })
  const first = await register(one(child).id)
  const refusal = await refusalOf(register(one(child).id), 'SOLD_OUT')
  expect(refusal.message).toContain('“Child” is sold out')
  expect(refusal.payload).toEqual({ left: 0, ticketTypeId: one(child).id })
  await setStatus(first.savedRegistration.id, 'cancelled')
  await register(one(child).id)
  // Its place has been sold meanwhile.
  await refusalOf(setStatus(first.savedRegistration.id, 'confirmed'), 'SOLD_OUT')
})

test('a type is sold within its times, and whoever names none gets the first that is on sale', async () => {
  const hour = 3_600_000
  const now = app.clock.now.getTime()
  const [early, late] = await save([
    { name: 'Early', saleClosesAt: new Date(now + hour) },
    { name: 'Late', saleOpensAt: new Date(now + hour) },
  ])
  const typeOf = async (answer: ReturnType<typeof register>) =>
    (await ticketOf((await answer).savedRegistration.id)).ticketType?.name
  expect(await typeOf(register())).toBe('Early')
  await refusalOf(register(one(late).id), 'INVALID_INPUT')
  app.clock.now = new Date(now + hour)
  expect(await typeOf(register())).toBe('Late')
  await refusalOf(register(one(early).id), 'INVALID_INPUT')
  // Staff may add somebody at any time.
  const registrationData = { name: 'Walk In', email: '', phone: '', others: [] }
  const added = await app.call(
    attendeeApi.save,
    { payload: { eventId: fixture.event.id, ticketTypeId: one(early).id, registrationData, extrasIds: [] } },
    fixture.token,
  )
  expect((await ticketOf(added.id)).ticketType?.name).toBe('Early')
})

test('the attendee list, the door and the statistics tell the types apart', async () => {
  const [first, child] = await withTypes({ name: 'Child' })
  const [adult, kid] = [await register(), await register(one(child).id)]
  const asked = { eventId: fixture.event.id }
  const rows = async (ticketTypeId: number) =>
    (
      await app.call(
        attendeeApi.getAttendees,
        { ...asked, ticketTypeId, searchKeyword: '', sortBy: 'registration', limit: 50 },
        fixture.token,
      )
    ).attendees.map(({ rId, ticketType }) => [rId, ticketType?.name])
  expect(await rows(one(first).id)).toEqual([[adult.savedRegistration.id, 'Ticket']])
  expect(await rows(one(child).id)).toEqual([[kid.savedRegistration.id, 'Child']])
  const door = await app.call(doorApi.getDoorList, asked, fixture.token)
  expect(door.ticketTypes.map(({ name }) => name)).toEqual(['Ticket', 'Child'])
  expect(door.tickets.map(({ typeId }) => typeId)).toEqual([one(first).id, one(child).id])
  const statistics = await app.call(statisticsApi.getStatistics, { ...asked, date: '2030-01-01' }, fixture.token)
  expect(statistics.ticketTypes).toMatchObject([
    { name: 'Ticket', sold: 1, checkedIn: 0, paid: 0 },
    { name: 'Child', sold: 1, checkedIn: 0, paid: 0 },
  ])
})

test('an event with one limited type is sold out without a word about other tickets', async () => {
  const [first] = await list()
  await save([{ id: one(first).id, maxQuantity: 1 }])
  await register(one(first).id)
  const refusal = await refusalOf(register(one(first).id), 'SOLD_OUT')
  expect(refusal.message).not.toContain('Choose another')
  expect(refusal.payload).toEqual({ left: 0, ticketTypeId: null })
  await save([{ id: one(first).id, maxQuantity: null, saleClosesAt: new Date(app.clock.now.getTime() - 1_000) }])
  await refusalOf(register(one(first).id), 'REGISTRATION_CLOSED')
})

test('an order saved from before a colleague moved the tickets is refused', async () => {
  const types = await withTypes({ name: 'Child' })
  const seen = types.map(({ id, version }) => ({ id, version }))
  await save([...types].reverse().map(({ id }) => ({ id })))
  await refusalOf(save([...types.map(({ id }) => ({ id })), { name: 'Guest' }], { seen }), 'EDIT_CONFLICT')
})

test('the settings of an event do not undo a price that a colleague has changed meanwhile', async () => {
  const { event: own, token } = await makeFixture(app, { status: 'draft', ticketPrice: 2500 })
  const [type] = await app.call(ticketTypeApi.getTicketTypes, { eventId: own.id }, token)
  const payload = { eventId: own.id, ticketTypes: [{ id: one(type).id, price: 3000 }] }
  await app.call(ticketTypeApi.saveTicketTypes, { payload }, token)
  const edit = { id: own.id, version: own.version, ticketPrice: 2500, description: 'New' }
  await refusalOf(app.call(eventApi.save, edit, token), 'EDIT_CONFLICT')
  expect(await app.call(ticketTypeApi.getTicketTypes, { eventId: own.id }, token)).toMatchObject([{ price: 3000 }])
})

test('a phone that listed tickets before there was a second type gets the types of all', async () => {
  const asked = { eventId: fixture.event.id }
  await register()
  const before = await app.call(doorApi.getDoorList, asked, fixture.token)
  expect(before.tickets[0]?.typeId).toBeUndefined()
  const [first] = await withTypes({ name: 'Child' })
  const after = await app.call(doorApi.getDoorList, { ...asked, since: before.cursor }, fixture.token)
  expect(after.tickets.map(({ typeId }) => typeId)).toEqual([one(first).id])
})

test('a copy of the event sells the same tickets, at times moved with it', async () => {
  const saleClosesAt = new Date(fixture.event.startsAt.getTime() - 24 * 3_600_000)
  await withTypes({ name: 'Child', maxQuantity: 3, saleClosesAt })
  const startsAt = new Date(fixture.event.startsAt.getTime() + 7 * 24 * 3_600_000)
  const copy = await app.call(eventApi.copy, { payload: { eventId: fixture.event.id, startsAt } }, fixture.token)
  expect(await app.call(ticketTypeApi.getTicketTypes, { eventId: copy.id }, fixture.token)).toMatchObject([
    { name: 'Ticket', soldCount: 0 },
    { name: 'Child', maxQuantity: 3, saleClosesAt: new Date(saleClosesAt.getTime() + 7 * 24 * 3_600_000) },
  ])
})

test('an event says from when and until when a ticket can be had, and when each is gone', async () => {
  const [soon, later, latest] = [1, 2, 3].map((hours) => new Date(app.clock.now.getTime() + hours * 3_600_000))
  const sale = async () => {
    const { ticketsOpenAt, ticketsCloseAt, ticketsGone } = await event()
    return [ticketsOpenAt, ticketsCloseAt, ticketsGone]
  }
  expect(await sale()).toEqual([null, null, false])
  const [first] = await list()
  const { id } = one(first)
  await save([
    { id, saleOpensAt: soon, saleClosesAt: later, maxQuantity: 1 },
    { name: 'Late', saleOpensAt: later, saleClosesAt: latest },
  ])
  expect(await sale()).toEqual([soon, latest, false])
  await save([
    { id, saleOpensAt: null },
    { name: 'Always', maxQuantity: 1 },
  ])
  expect(await sale()).toEqual([null, null, false])
  await register(id)
  expect(await sale()).toEqual([null, null, false])
  const always = (await list()).find(({ name }) => name === 'Always')
  const { savedRegistration } = await register(always?.id)
  expect(await sale()).toEqual([null, null, true])
  const listed = await app.call(eventApi.getAllActiveEvents, {
    clubId: fixture.event.clubId,
    currentDate: '2026-01-01',
  })
  expect(listed.map(({ ticketsGone }) => ticketsGone)).toEqual([true])
  await setStatus(savedRegistration.id, 'cancelled')
  expect(await sale()).toEqual([null, null, false])
  await save([{ id }])
  expect(await sale()).toEqual([null, later, true])
})

test('staff who confirm a cancelled ticket again read what is gone', async () => {
  const [first] = await list()
  await save([{ id: one(first).id }, { name: 'Child', maxQuantity: 1 }])
  const child = (await list())[1]?.id
  const { savedRegistration } = await register(child)
  await setStatus(savedRegistration.id, 'cancelled')
  await register(child)
  const refusal = await refusalOf(setStatus(savedRegistration.id, 'confirmed'), 'SOLD_OUT')
  expect(refusal.message).toBe('Sorry, the last ticket “Child” has just gone.')
  expect(refusal.payload).toEqual({ left: 0, ticketTypeId: child })
  await app.call(eventApi.save, { id: fixture.event.id, maxAttendees: 1 }, fixture.token)
  await save([{ id: one(first).id }, { id: child ?? 0, maxQuantity: 2 }])
  const full = await refusalOf(setStatus(savedRegistration.id, 'confirmed'), 'SOLD_OUT')
  expect(full.message).toBe('Sorry, the last place has just gone.')
})
