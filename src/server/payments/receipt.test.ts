import { expect, test } from 'vitest'
import { paidText, receiptLineText } from '../../contract/receipts.ts'
import { receiptOf } from './receipt.ts'

const paidAt = new Date('2026-11-20T23:30:00.000Z')
const payment = { paid: 6400, refunded: 0, lost: 0, currency: 'gbp', paidAt, dispute: null, atDoor: 0, atDoorLeft: 0 }
const drinks = { extrasId: 1, name: 'Drinks', price: 1200 }

test('a receipt has a line for the ticket and one for each kind of voucher, and comes to what was paid', () => {
  const parking = { extrasId: 2, name: 'Parking', price: 500 }
  const receipt = receiptOf(6400, [drinks, parking, drinks], payment, null)
  expect(receipt?.lines).toEqual([
    { kind: 'ticket', name: 'Ticket', quantity: 1, amount: 3500 },
    { kind: 'voucher', name: 'Drinks', quantity: 2, amount: 2400 },
    { kind: 'voucher', name: 'Parking', quantity: 1, amount: 500 },
  ])
  expect(receipt?.lines.map((line) => receiptLineText(line, 'gbp'))).toEqual([
    'Ticket £35.00',
    '2 × Drinks £24.00',
    'Parking £5.00',
  ])
})

test('what was free is no line, and without a payment there is no receipt', () => {
  expect(receiptOf(1200, [drinks, { extrasId: 3, name: 'Programme', price: 0 }], payment, null)?.lines).toEqual([
    { kind: 'voucher', name: 'Drinks', quantity: 1, amount: 1200 },
  ])
  expect(receiptOf(0, [drinks], payment, null)?.lines).toEqual([])
  expect(receiptOf(6400, [], null, null)).toBeNull()
})

test('a receipt says when it was paid in the event’s time zone, and what went back', () => {
  const receipt = receiptOf(6400, [], { ...payment, refunded: 1000 }, null)
  expect(receipt && paidText(receipt, 'Europe/Berlin')).toBe('Paid £64.00 on 21/11/2026, £10.00 refunded')
})
