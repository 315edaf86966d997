import { expect, test } from 'vitest'
import type { DoorTicket } from '../../../contract/door.ts'
import { judgeTicket } from './judge.ts'
import { othersOfOrder, verdictOfAll } from './order.ts'
import { type TicketList, ticketOf } from './ticket-list.ts'
import { verdictOf } from './verdict.ts'

const at = new Date('2030-06-21T17:00:00Z')
const inside = { at, by: 'Hal', device: null }
const ticket = (id: number, more: Partial<DoorTicket> = {}): DoorTicket => ({
  ...{
    id,
    name: `Guest ${id}`,
    status: 'confirmed',
    hash: '',
    short: '',
    in: null,
    orderId: 1,
    answers: [],
    vouchers: [],
  },
  ...more,
})
const listOf = (...tickets: DoorTicket[]): TicketList => ({
  ...{ cursor: '', questions: [], conflicts: 0, readAt: at },
  event: {
    ...{ id: 1, name: 'Ball', location: '', startsAt: at, endsAt: at, timeZone: 'Europe/Berlin', status: 'published' },
  },
  tickets: new Map(tickets.map((each) => [each.id, each])),
})
const idsOf = (list: TicketList, local = new Map()) => othersOfOrder(list, local, 1).map(({ id }) => id)

test('the others of an order are those who have a place and are not in yet, also by this phone alone', () => {
  const due = { amount: 1000, currency: 'eur' }
  const list = listOf(
    ticket(1),
    ticket(2),
    ticket(3, { in: inside }),
    ticket(4, { status: 'cancelled' }),
    ticket(5, { status: 'pending', due }),
    ticket(6, { status: 'pending' }),
    ticket(7, { orderId: 2 }),
    ticket(8),
  )
  expect(idsOf(list)).toEqual([2, 5, 6, 8])
  expect(idsOf(list, new Map([[8, { in: inside }]]))).toEqual([2, 5, 6])
})

test('a ticket alone has no others', () => {
  const { orderId: _, ...alone } = ticket(1)
  expect(idsOf(listOf(alone, ticket(2)))).toEqual([])
})

test('several let in together are one verdict, which is that of the first who was not', () => {
  const valid = (name: string) => verdictOf({ code: null, name })
  expect(verdictOfAll([valid('Ada'), valid('Bea')])).toMatchObject({ kind: 'in', name: 'Ada, Bea' })
  const already = verdictOf({ code: 'ALREADY_CHECKED_IN', name: 'Cy', msg: 'At 7.' })
  expect(verdictOfAll([valid('Ada'), already])).toMatchObject({ kind: 'already', name: 'Cy', detail: 'At 7. In: Ada.' })
  expect(verdictOfAll([])).toBe(null)
})

test('whoever has nothing to pay is valid once this phone has taken money for somebody of the order', () => {
  const due = { amount: 1000, currency: 'eur' }
  const list = listOf(
    ticket(1, { status: 'pending', due }),
    ticket(2, { status: 'pending' }),
    ticket(3, { orderId: 2, status: 'pending' }),
  )
  const paid = new Map([[1, { in: inside, status: 'confirmed' as const, due: undefined }]])
  const statusOf = (id: number, local = new Map()) => ticketOf(list, local, id)?.status
  expect([statusOf(2), statusOf(2, paid), statusOf(3, paid)]).toEqual(['pending', 'confirmed', 'pending'])
  expect(judgeTicket(ticket(2, { status: 'pending' }), list).verdict.detail).toContain('free')
})
