import { describe, expect, test } from 'vitest'
import type { TicketType } from '../../../contract/ticket-type.ts'
import {
  chosenType,
  NO_TICKET,
  nextChange,
  noTicketNow,
  saleTimes,
  ticketOfCode,
  whyNotToBeHad,
  withTickets,
} from './chosen-type.ts'

const now = new Date('2030-05-01T12:00:00Z')
const before = new Date('2030-05-01T11:00:00Z')
const later = new Date('2030-05-01T13:00:00Z')
const muchLater = new Date('2030-05-02T13:00:00Z')

let lastId = 0
function type(fields: Partial<TicketType> = {}): TicketType {
  lastId++
  return {
    ...{ id: lastId, eventId: 1, name: `Ticket ${lastId}`, description: '', price: 0, maxQuantity: null, soldCount: 0 },
    ...{ saleOpensAt: null, saleClosesAt: null, position: lastId, removedAt: null, version: 1 },
    ...{ minPerOrder: 1, maxPerOrder: null, access: 'public', maxPerMember: 1, codePrice: null },
    ...fields,
  }
}
const gone = () => type({ maxQuantity: 5, soldCount: 5 })
const early = () => type({ saleOpensAt: later })
const late = () => type({ saleClosesAt: before })

describe('whether a ticket type can be had', () => {
  test('by its times and its number', () => {
    expect(whyNotToBeHad(type(), now)).toBeNull()
    expect(whyNotToBeHad(type({ maxQuantity: 5, soldCount: 4 }), now)).toBeNull()
    expect(whyNotToBeHad(gone(), now)).toBe('sold out')
    expect(whyNotToBeHad(early(), now)).toBe('not yet')
    expect(whyNotToBeHad(early(), later)).toBeNull()
    expect(whyNotToBeHad(late(), now)).toBe('over')
    expect(whyNotToBeHad(type({ saleClosesAt: now }), now)).toBe('over')
  })
})

describe('the chosen ticket type', () => {
  test('is one that a single person can buy, if there is one', () => {
    const [families, single] = [type({ minPerOrder: 2 }), type()]
    expect(chosenType([families, single], undefined, now)).toBe(single)
    expect(chosenType([families, type({ minPerOrder: 3 })], undefined, now)).toBe(families)
    expect(chosenType([families, single], String(families.id), now)).toBe(families)
  })

  test('is the first that can be had, until one is chosen', () => {
    const [first, second, third] = [gone(), type(), type()]
    expect(chosenType([first, second, third], undefined, now)).toBe(second)
    expect(chosenType([first, second, third], '', now)).toBe(second)
    expect(chosenType([first, second, third], String(third.id), now)).toBe(third)
  })

  test('is none rather than another one when the chosen one is gone', () => {
    const [first, second] = [type(), gone()]
    expect(chosenType([first, second], String(second.id), now)).toBeUndefined()
    expect(chosenType([first, second], '999999', now)).toBeUndefined()
    expect(chosenType([first], String(second.id), now)).toBeUndefined()
    expect(chosenType([first, second], NO_TICKET, now)).toBeUndefined()
  })

  test('is the only one, also while it cannot be had', () => {
    const only = gone()
    expect(chosenType([only], undefined, now)).toBe(only)
    expect(chosenType([only], String(only.id), now)).toBe(only)
  })
})

test('where none is chosen, one for everybody comes before those for members', () => {
  const [member, guest] = [type({ access: 'member' }), type()]
  expect(chosenType([member, guest], undefined, now)).toBe(guest)
  expect(chosenType([member, guest], String(member.id), now)).toBe(member)
  expect(chosenType([member, gone()], undefined, now)).toBe(member)
})

test('a code is for one ticket where it does something for no other that can be had', () => {
  const [adult, child, crew] = [type({ price: 2000 }), type({ codePrice: 500 }), type({ access: 'code' })]
  expect(ticketOfCode([adult, child], now)).toBe(child)
  expect(ticketOfCode([adult, crew], now)).toBe(crew)
  expect(ticketOfCode([adult, child, crew], now)).toBeUndefined()
  expect(ticketOfCode([adult, { ...child, maxQuantity: 1, soldCount: 1 }, crew], now)).toBe(crew)
  expect(ticketOfCode([adult], now)).toBeUndefined()
})

describe('when no ticket can be had', () => {
  test('says the next opening first, then that all are sold, then that the sale is over', () => {
    expect(noTicketNow([type(), gone()], now)).toBeNull()
    expect(noTicketNow([gone(), type({ saleOpensAt: muchLater }), early(), late()], now)).toMatchObject({
      why: 'not yet',
      opensAt: later,
    })
    expect(noTicketNow([gone(), late()], now)).toMatchObject({ why: 'sold out', opensAt: null })
    expect(noTicketNow([late(), type({ saleClosesAt: now })], now)).toMatchObject({ why: 'over', closedAt: now })
  })
})

test('the page changes at the next beginning or end of a sale', () => {
  expect(nextChange(saleTimes([type(), gone()]), now)).toBeNull()
  expect(nextChange(saleTimes([late(), type({ saleOpensAt: later, saleClosesAt: muchLater })]), now)).toEqual(later)
  expect(nextChange(saleTimes([type({ saleOpensAt: before, saleClosesAt: muchLater })]), now)).toEqual(muchLater)
})

test('a question names the tickets that it is asked for, unless it is asked for all that are on sale', () => {
  const [adult, child, youth] = [type(), type(), type()]
  const asked = (...types: TicketType[]) => ({ ticketTypeIds: types.map(({ id }) => id) })
  const namesOf = (question: { ticketTypeIds: number[] }, ...types: TicketType[]) =>
    withTickets([question], types).map(({ onlyFor }) => onlyFor)
  expect(namesOf(asked(), adult, child)).toEqual([[]])
  expect(namesOf(asked(child, youth), adult, child, youth)).toEqual([[child.name, youth.name]])
  expect(namesOf(asked(adult, child), adult, child)).toEqual([[]])
  expect(namesOf(asked(adult), adult)).toEqual([[]])
  expect(namesOf(asked(youth), adult, child)).toEqual([])
})
