import { expect, test } from 'vitest'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { begin, family } from '../support/paid-orders.ts'
import { app, seatsTaken, setUpPayingApp } from '../support/paying.ts'

setUpPayingApp()

async function withTable(limits: { minPerOrder?: number; maxPerOrder?: number | null }) {
  const fixture = await family()
  const { eventId, token } = fixture
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const ticketTypes = [...types.map(({ id }) => ({ id })), { name: 'Table', ...limits }]
  const saved = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  const tableId = saved.find(({ name }) => name === 'Table')?.id ?? 0
  return { ...fixture, tableId, saved }
}

test('an order has as many tickets of a type as it may, if it has any', async () => {
  const { event, eventId, idOf, tableId } = await withTable({ minPerOrder: 2, maxPerOrder: 3 })
  const baby = idOf('Baby')
  const at = (count: number) => Array.from({ length: count }, () => companion({ ticketTypeId: tableId }))
  const tooFew = await refusalOf(begin(event, [companion({ ticketTypeId: baby })], {}, tableId), 'INVALID_INPUT')
  expect(tooFew.fields.map(({ path, msg }) => [path, msg()])).toEqual([
    ['newRegistration.ticketTypeId', expect.stringContaining('at least 2')],
  ])
  const tooMany = await refusalOf(begin(event, at(4), {}, baby), 'INVALID_INPUT')
  expect(tooMany.fields.map(({ path, msg }) => [path, msg()])).toEqual([
    ['companions.0.ticketTypeId', expect.stringContaining('at most 3')],
  ])
  expect(await seatsTaken(eventId)).toBe(0)
  await begin(event, at(3), {}, baby)
  await begin(event, [companion({ ticketTypeId: tableId })], {}, tableId)
  // None of it is as well.
  await begin(event, [], {}, baby)
  expect(await seatsTaken(eventId)).toBe(7)
})

test('staff set sensible numbers, and what they set stays', async () => {
  const { eventId, token, saved } = await withTable({ minPerOrder: 4 })
  expect(saved.at(-1)).toMatchObject({ minPerOrder: 4, maxPerOrder: null })
  const save = (limits: object) => {
    const ticketTypes = saved.map(({ id, name }) => ({ id, ...(name === 'Table' && limits) }))
    return app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  }
  for (const [wrong, field] of [
    [{ maxPerOrder: 3 }, 'maxPerOrder'],
    [{ minPerOrder: 21 }, 'minPerOrder'],
    [{ minPerOrder: 0 }, 'minPerOrder'],
  ] as const) {
    const refusal = await refusalOf(save(wrong), 'INVALID_INPUT')
    expect(refusal.fields.map(({ path }) => path.split('.').at(-1))).toEqual([field])
  }
  expect((await save({})).at(-1)).toMatchObject({ minPerOrder: 4 })
  expect((await save({ minPerOrder: 1, maxPerOrder: 2 })).at(-1)).toMatchObject({ minPerOrder: 1, maxPerOrder: 2 })
})
