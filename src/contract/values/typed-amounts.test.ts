import { expect, test } from 'vitest'
import { languages } from '../../texts/generated/languages.ts'
import { inLanguage } from '../../texts/language.ts'
import { formatAmount, formatPrice } from './money.ts'
import { editableAmount, exactAmount, minorUnits, plainAmount } from './typed-amounts.ts'

test.each([
  ['eur', 12_34],
  ['eur', 1200],
  ['jpy', 1234],
  ['kwd', 12_340],
  ['kwd', 12_000],
  ['bhd', 10],
])('what is written into a field is read back from it in every language: %s, %i', (currency, amount) => {
  const written = languages.map((language) => inLanguage(language, () => editableAmount(amount, currency)))
  expect(written.map((text) => minorUnits(text, currency))).toEqual(languages.map(() => amount))
})

test('an amount in a field has the decimal mark of the language; programs get a point', () => {
  const write = () => [editableAmount(12_50, 'eur'), exactAmount(12_00, 'eur'), plainAmount(12_50, 'eur')]
  expect(inLanguage('de', write)).toEqual(['12,50', '12,00', '12.50'])
  expect(inLanguage('en', write)).toEqual(['12.50', '12.00', '12.50'])
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
