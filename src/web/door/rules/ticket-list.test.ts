import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DoorList, DoorTicket } from '../../../contract/door.ts'
import { applyChanges, countTickets, type TicketList, ticketOf } from './ticket-list.ts'

const now = new Date('2026-11-27T18:00:00Z')
const event = {
  ...{ id: 1, name: 'Party', location: '', timeZone: 'Europe/Berlin', status: 'published' as const },
  ...{ startsAt: now, endsAt: new Date('2026-11-27T22:00:00Z') },
}

function ticket(id: number, fields: Partial<DoorTicket> = {}): DoorTicket {
  return { id, name: `Guest ${id}`, status: 'confirmed', hash: '', short: '', in: null, answers: [], ...fields }
}

function changesOf(fields: Partial<DoorList>): DoorList {
  const empty = {
    cursor: '1.a',
    isFull: false,
    now,
    event,
    questions: [],
    tickets: [],
    removed: [],
    count: 0,
    conflicts: 0,
  }
  return { ...empty, ...fields }
}

function whole(...tickets: DoorTicket[]): TicketList {
  const applied = applyChanges(null, changesOf({ isFull: true, tickets, count: tickets.length }))
  if (!applied) throw new Error('A whole list fits.')
  return applied.list
}

test('changes apply to the tickets they name and leave the rest', () => {
  const applied = applyChanges(
    whole(ticket(1), ticket(2), ticket(3)),
    changesOf({ cursor: '2.a', tickets: [ticket(2, { status: 'cancelled' }), ticket(4)], removed: [3], count: 3 }),
  )
  expect(applied?.changed.sort()).toEqual([2, 3, 4])
  expect(applied?.list.cursor).toBe('2.a')
  expect([...(applied?.list.tickets.values() ?? [])].map(({ id, status }) => [id, status])).toEqual([
    [1, 'confirmed'],
    [2, 'cancelled'],
    [4, 'confirmed'],
  ])
})

test('if changes are missing, the whole list has to be fetched', () => {
  expect(applyChanges(null, changesOf({}))).toBeNull()
  expect(applyChanges(whole(ticket(1)), changesOf({ tickets: [], count: 2 }))).toBeNull()
})

test('a whole list replaces the old one, and what was only in the old one counts as changed', () => {
  const applied = applyChanges(whole(ticket(1), ticket(2)), changesOf({ isFull: true, tickets: [ticket(2)], count: 1 }))
  expect([...(applied?.list.tickets.keys() ?? [])]).toEqual([2])
  expect(applied?.changed.sort()).toEqual([1, 2])
})

test('however changes are split or repeated, the list matches the server’s', () => {
  const change = fc.record({ id: fc.integer({ min: 1, max: 20 }), name: fc.string(), isRemoved: fc.boolean() })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 20 }), fc.boolean(), (rounds, isTwice) => {
      const server = new Map<number, DoorTicket>()
      let list = whole()
      for (const round of rounds) {
        for (const { id, name, isRemoved } of round)
          isRemoved ? server.delete(id) : server.set(id, ticket(id, { name }))
        const ids = [...new Set(round.map(({ id }) => id))]
        const tickets = ids.flatMap((id) => server.get(id) ?? [])
        const answer = changesOf({ tickets, removed: ids.filter((id) => !server.has(id)), count: server.size })
        for (let n = 0; n < (isTwice ? 2 : 1); n++) list = applyChanges(list, answer)?.list ?? whole()
      }
      expect(new Map(list.tickets)).toEqual(server)
    }),
  )
})

test('local check-ins take precedence over the server’s list, and are counted', () => {
  const first = { at: now, by: 'Ana', device: null }
  const list = whole(
    ticket(1),
    ticket(2, { in: first }),
    ticket(3),
    ticket(4, { status: 'cancelled' }),
    ticket(5, { status: 'pending' }),
  )
  expect(countTickets(list, new Map())).toEqual({ inside: 1, total: 3, unpaid: 1 })
  const local = new Map([
    [1, { in: first }],
    [2, { in: null }],
    [4, { in: first }],
  ])
  expect(countTickets(list, local)).toEqual({ inside: 1, total: 3, unpaid: 1 })
  expect(ticketOf(list, local, 1)?.in).toBe(first)
  expect(ticketOf(list, local, 2)?.in).toBeNull()
  expect(ticketOf(list, local, 9)).toBeNull()
})

test('without changes it is the same list object, only read later', () => {
  const list = whole(ticket(1))
  const later = new Date(now.getTime() + 3_000)
  const applied = applyChanges(list, changesOf({ cursor: '2.a', now: later, count: 1 }))
  expect(applied?.list).toBe(list)
  expect(applied?.list).toMatchObject({ cursor: '2.a', readAt: later })
  expect(applyChanges(list, changesOf({ cursor: '3.a', count: 1, conflicts: 1 }))?.list).not.toBe(list)
})
