import { expect, test } from 'vitest'
import { joinedReceipt, type OrderLine, type Receipt, receiptTable } from './receipts.ts'

const paidAt = new Date('2026-11-20T18:00:00.000Z')
const ticket = (amount: number): OrderLine => ({ kind: 'ticket', name: 'Ticket', quantity: 1, amount })
const drinks = (quantity: number): OrderLine => ({ kind: 'voucher', name: 'Drinks', quantity, amount: quantity * 600 })
const receiptFor = (lines: OrderLine[], more: Partial<Receipt> = {}): Receipt => ({
  lines,
  paid: lines.reduce((sum, { amount }) => sum + amount, 0),
  refunded: 0,
  paidAt,
  currency: 'eur',
  isAtDoor: false,
  ...more,
})
const join = (...receipts: (Receipt | null)[]) => joinedReceipt(receipts, 'Europe/Berlin')

test('tickets paid together have one receipt that counts equal lines', () => {
  const family = join(
    receiptFor([ticket(2500), drinks(1)]),
    receiptFor([ticket(1000), drinks(2)], { refunded: 1000 }),
    null,
    receiptFor([ticket(1000)]),
  )
  expect(family && receiptTable(family, 'Europe/Berlin')).toEqual({
    rows: [
      ['Ticket', '€25.00'],
      ['3 × Drinks', '€18.00'],
      ['2 × Ticket', '€20.00'],
      ['Refunded', '€10.00'],
    ],
    total: ['Paid on 20/11/2026', '€63.00'],
  })
})

test('a single receipt is joined with none, nor those of several days or ways to pay', () => {
  const one = receiptFor([ticket(2500)])
  expect(join(one, null)).toBeNull()
  expect(join(one, receiptFor([ticket(2500)], { isAtDoor: true }))).toBeNull()
  expect(join(one, receiptFor([ticket(2500)], { paidAt: new Date('2026-11-21T18:00:00.000Z') }))).toBeNull()
})
