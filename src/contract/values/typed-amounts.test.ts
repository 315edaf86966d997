import { expect, test } from 'vitest'
import { formatAmount, formatPrice } from './money.ts'
import { exactAmount, minorUnits, plainAmount } from './typed-amounts.ts'

test.each([
  ['eur', 12_34],
  ['eur', 1200],
  ['jpy', 1234],
  ['kwd', 12_340],
  ['kwd', 12_000],
  ['bhd', 10],
])('what is written into a field is read back from it: %s, %i', (currency, amount) => {
  expect(minorUnits(plainAmount(amount, currency), currency)).toBe(amount)
})

test('an exact amount has all decimals of its currency', () => {
  expect([
    exactAmount(64_00, 'eur'),
    exactAmount(64_05, 'eur'),
    exactAmount(64, 'jpy'),
    exactAmount(1_500, 'kwd'),
  ]).toEqual(['64.00', '64.05', '64', '1.500'])
})

test('an amount that could be a thousand times as much is not read', () => {
  for (const currency of ['eur', 'jpy', 'kwd']) expect(minorUnits('1,000', currency)).toBeNull()
  expect([minorUnits('1.5', 'kwd'), minorUnits('1,25', 'kwd'), minorUnits('1.000', 'eur')]).toEqual([1500, 1250, null])
})

test('no price is free, no amount is zero', () => {
  expect([formatPrice(0, 'eur'), formatAmount(0, 'eur'), formatAmount(0, 'kwd')]).toEqual([
    'Free',
    '€0.00',
    'KWD\u00a00.000',
  ])
})
