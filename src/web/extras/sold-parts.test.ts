import { expect, test } from 'vitest'
import { soldParts } from './sold-parts.ts'

const soldWords = (voucher: Parameters<typeof soldParts>[0]) => soldParts(voucher).join(' · ')

const voucher = { price: 1200, currency: 'gbp', soldCount: 0, maxQuantity: null }

test('how many of a voucher are sold is said in short, without the parts that are 0', () => {
  expect(soldWords(voucher)).toBe('0 paid')
  expect(soldWords({ ...voucher, soldCount: 3, unpaidCount: 1, soldAmount: 2400 })).toBe(
    '2 paid (£24.00) · 1 waiting for payment',
  )
  expect(soldWords({ ...voucher, price: 0, soldCount: 4, redeemedCount: 1 })).toBe('4 taken · 1 used up')
})

test('what is left counts those that wait for payment as taken', () => {
  expect(soldWords({ ...voucher, maxQuantity: 50, soldCount: 3, unpaidCount: 1, soldAmount: 2400 })).toBe(
    '2 paid (£24.00) · 1 waiting for payment · 47 left',
  )
  expect(soldWords({ ...voucher, maxQuantity: 2, soldCount: 2, soldAmount: 2400 })).toBe('2 paid (£24.00) · none left')
  // The number was lowered after more had been sold.
  expect(soldWords({ ...voucher, maxQuantity: 1, soldCount: 2, soldAmount: 2400 })).toContain('none left')
})
