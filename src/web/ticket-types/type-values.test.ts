import { expect, test } from 'vitest'
import { fieldsOfType } from '../../contract/ticket-types.ts'
import { fieldsOf, valuesOf } from './type-values.ts'

const event = { currency: 'gbp', timeZone: 'Europe/London' }
const type = {
  ...{ id: 1, eventId: 1, name: 'Adult', description: 'From 13 years', price: 1250, maxQuantity: 40, soldCount: 3 },
  ...{ minPerOrder: 2, maxPerOrder: null, access: 'member' as const, maxPerMember: 2, codePrice: null },
  ...{ saleOpensAt: new Date('2030-06-01T11:00:00Z'), saleClosesAt: null, position: 1, removedAt: null, version: 2 },
}

test('a ticket type is the same after its form', () => {
  const values = valuesOf(type, event)
  expect(values).toEqual({
    name: 'Adult',
    description: 'From 13 years',
    price: '12.50',
    maxQuantity: '40',
    access: 'member',
    maxPerMember: '2',
    minPerOrder: '2',
    maxPerOrder: '',
    saleOpensAt: '01/06/2030 12:00',
    saleClosesAt: '',
  })
  expect(fieldsOf(values, event)).toEqual({
    fields: fieldsOfType(type),
    errors: [],
  })
})

test('text that cannot be read is an error of its field; empty fields are none', () => {
  const wrong = { ...valuesOf(null, event), name: 'New', price: '1,000', maxQuantity: 'many', saleClosesAt: 'soon' }
  expect(
    fieldsOf(wrong, event)
      .errors.map(({ path }) => path)
      .sort(),
  ).toEqual(['maxQuantity', 'price', 'saleClosesAt'])
  expect(fieldsOf({ ...wrong, price: ' ', maxQuantity: '', saleClosesAt: ' ' }, event)).toMatchObject({
    fields: { price: 0, maxQuantity: null, minPerOrder: 1, maxPerOrder: null, saleOpensAt: null, saleClosesAt: null },
    errors: [],
  })
})
