import { expect, test } from 'vitest'
import { roundAmount, validateAmount } from './money.ts'

test('an amount is rounded to what cards can be charged in its currency', () => {
  expect(roundAmount(1234.5, 'eur')).toBe(1235)
  expect(roundAmount(999.6, 'jpy')).toBe(1000)
  // Three decimals, of which the last is zero.
  expect(roundAmount(4997, 'kwd')).toBe(5000)
  expect(roundAmount(4994, 'kwd')).toBe(4990)
  expect(roundAmount(12_349, 'isk')).toBe(12_300)
  for (const currency of ['eur', 'jpy', 'kwd', 'isk'])
    expect(validateAmount(roundAmount(12_345.6, currency), currency)).toBeNull()
})
