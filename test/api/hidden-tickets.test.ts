import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { codeApi } from '../../src/contract/codes.ts'
import { eventApi } from '../../src/contract/events.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { at, hideChild, register, typesWith, withCode } from '../support/codes.ts'
import { makePass } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { app, setUpPayingApp } from '../support/paying.ts'

setUpPayingApp()

test('a ticket that needs a code is seen and bought by nobody without one', async () => {
  const { event, eventId, token, idOf, save } = await withCode()
  await hideChild(eventId, token)
  const namesOf = async (code?: string) => (await typesWith(eventId, code)).map(({ name }) => name)
  expect(await namesOf()).toEqual(['Adult', 'Baby'])
  const child = { ticketTypeId: idOf('Child') }
  const refusal = await refusalOf(register(event, child), 'CODE_NOT_VALID')
  expect(refusal.fields[0]?.path).toBe('code')
  await save({ code: 'ADULTS', ticketTypeIds: [idOf('Adult')] })
  expect(await namesOf('ADULTS')).toEqual(['Adult', 'Baby'])
  expect((await refusalOf(register(event, { ...child, code: 'ADULTS' }), 'CODE_NOT_VALID')).fields[0]?.path).toBe(
    'code',
  )
  await save({ code: 'KIDS', value: 0, ticketTypeIds: [idOf('Child')] })
  expect(await namesOf('kids')).toEqual(['Adult', 'Child', 'Baby'])
  const { savedRegistration } = await register(event, { ...child, code: 'kids' })
  expect(savedRegistration).toMatchObject({ amount: 1000, discount: 0 })
  // Its price is no part of what everybody is told.
  const shown = await app.call(eventApi.getEventByEventIdnClubId, { eventId, clubId: event.clubId })
  expect(shown).toMatchObject({ codes: 'tickets', ticketPrice: 0, ticketPriceTo: 2500 })
  // Staff see and sell it without a code.
  expect((await app.call(ticketTypeApi.getTicketTypes, { eventId }, token)).map(({ name }) => name)).toContain('Child')
})

test('the event says whether there are codes, and whether tickets that everybody can buy are sold out', async () => {
  const { event, eventId, token, code, idOf } = await withCode()
  const shown = () => app.call(eventApi.getEventByEventIdnClubId, { eventId, clubId: event.clubId })
  expect(await shown()).toMatchObject({ codes: 'prices', ticketsGone: false })
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId }, token)
  const more = { Adult: { maxQuantity: 1 }, Child: { access: 'code' }, Baby: { access: 'code' } } as const
  const names = ['Adult', 'Child', 'Baby'] as const
  const ticketTypes = names.map((name) => ({ id: types.find((type) => type.name === name)?.id, ...more[name] }))
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  await register(event, { ticketTypeId: idOf('Adult') })
  expect(await shown()).toMatchObject({ codes: 'tickets', ticketsGone: true, ticketPrice: 2500, ticketPriceTo: 2500 })
  await app.call(codeApi.removeCode, { payload: { eventId, codeId: code.id } }, token)
  // Tickets that need a code are there, though nobody has one.
  expect(await shown()).toMatchObject({ codes: 'tickets' })
})

test('a ticket that a code names is kept when it is taken off sale, so that the code can be edited', async () => {
  const { eventId, token, idOf, save, code } = await withCode()
  await save({ id: code.id, ticketTypeIds: [idOf('Child')] })
  const ticketTypes = [{ id: idOf('Adult') }, { id: idOf('Baby') }]
  const types = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  expect(types.find(({ name }) => name === 'Child')?.removedAt).toBeInstanceOf(Date)
  expect(await save({ id: code.id, ticketTypeIds: [idOf('Child')], value: 30 })).toMatchObject({ value: 30 })
  expect((await refusalOf(typesWith(eventId, 'EARLY'), 'CODE_NOT_VALID')).message).toMatch('changes nothing')
})

test('a copy of an event has no codes, and its tickets that need one still do', async () => {
  const { eventId, token } = await withCode()
  await hideChild(eventId, token)
  const copy = await app.call(eventApi.copy, { payload: { eventId, startsAt: at(90 * 86_400_000) } }, token)
  expect(await app.call(codeApi.getCodes, { eventId: copy.id }, token)).toEqual([])
  // Its page asks for a code, as the other one's does.
  expect(await app.call(eventApi.getEvent, { eventId: copy.id }, token)).toMatchObject({ codes: 'tickets' })
  const own = await app.call(ticketTypeApi.getTicketTypes, { eventId: copy.id }, token)
  expect(own.map(({ name, access }) => [name, access])).toContainEqual(['Child', 'code'])
})

test('whoever adds people at the door has the tickets that need a code, and without an id adds one for everybody', async () => {
  const { event, eventId, token, idOf } = await withCode()
  const types = (['Child', 'Adult', 'Baby'] as const).map((name) => ({ id: idOf(name) }))
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes: types } }, token)
  await hideChild(eventId, token)
  const { session } = await makePass(app, event, token)
  const seen = await app.call(ticketTypeApi.getTicketTypes, { eventId }, session)
  expect(seen.map(({ name }) => name)).toEqual(['Child', 'Adult', 'Baby'])
  const person = { name: 'Wanda Walk-in', email: '', phone: '', others: [] }
  const added = await app.call(
    attendeeApi.save,
    { payload: { eventId, registrationData: person, extrasIds: [] } },
    session,
  )
  const { attendees } = await app.call(
    attendeeApi.getAttendees,
    { eventId, limit: 10, sortBy: 'registration', searchKeyword: '' },
    token,
  )
  expect(attendees.find(({ rId }) => rId === added.id)?.ticketType?.name).toBe('Adult')
})
