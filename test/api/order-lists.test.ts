import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { doorApi } from '../../src/contract/door.ts'
import { makeEvent } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { begin, family } from '../support/paid-orders.ts'
import { app, setUpPayingApp } from '../support/paying.ts'

setUpPayingApp()

test('staff see who was registered together, and find them by their order', async () => {
  const { event, eventId, token, idOf } = await family()
  const { order, registrations } = await begin(event, [companion({ name: 'Bea' })], {}, idOf('Baby'))
  await begin(event, [companion(), companion()])
  await begin(event, [])
  const asked = { searchKeyword: '', sortBy: 'registration' as const, limit: 50 }
  const list = (more: { orderId?: number } = {}) =>
    app.call(attendeeApi.getAttendees, { eventId, ...asked, ...more }, token)
  const all = await list()
  expect(all.attendees.map(({ peopleInOrder }) => peopleInOrder)).toEqual([1, 3, 3, 3, 2, 2])
  const found = await list({ orderId: order.id })
  expect(found.attendees.map(({ rId }) => rId).sort()).toEqual(registrations.map(({ id }) => id).sort())
  expect(found).toMatchObject({ total: 2, counts: { pending: 2 } })
  // Of another event there is nothing to find.
  const other = await makeEvent(app, token)
  const elsewhere = await app.call(attendeeApi.getAttendees, { eventId: other.id, orderId: order.id, ...asked }, token)
  expect(elsewhere).toMatchObject({ attendees: [], total: 0 })
})

test('the spreadsheet has the order, where there is one', async () => {
  const { event, eventId, token, idOf } = await family()
  const sheet = async () => {
    const answer = await app.raw(attendeeApi.downloadAttendees, { eventId }, { authorization: token })
    return (await readXlsx(Buffer.from(await answer.arrayBuffer()))).sheets[0]?.rows ?? []
  }
  await begin(event, [], {}, idOf('Baby'))
  expect((await sheet())[0]).not.toContain('Order')
  const { order } = await begin(event, [companion({ ticketTypeId: idOf('Baby') })], {}, idOf('Baby'))
  const [heads = [], ...rows] = await sheet()
  const number = String(order.id).padStart(5, '0')
  expect(rows.map((row) => row[heads.indexOf('Order')])).toEqual([null, number, number])
})

test('a phone at the door learns who came together', async () => {
  const { event, eventId, token, idOf } = await family()
  const { order } = await begin(event, [companion({ ticketTypeId: idOf('Baby') })], {}, idOf('Baby'))
  await begin(event, [], {}, idOf('Baby'))
  const { tickets } = await app.call(doorApi.getDoorList, { eventId }, token)
  expect(tickets.map(({ orderId }) => orderId)).toEqual([order.id, order.id, undefined])
})
