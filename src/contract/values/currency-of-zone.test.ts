import { expect, test } from 'vitest'
import { currencyOfZone } from './currency-of-zone.ts'

test.each([
  ['Europe/Berlin', 'eur'],
  ['Europe/Zagreb', 'eur'],
  ['Europe/London', 'gbp'],
  ['America/New_York', 'usd'],
  ['Europe/Warsaw', 'pln'],
  ['Europe/Zurich', 'chf'],
  ['Asia/Tokyo', 'jpy'],
  ['Asia/Kolkata', 'inr'],
  ['Africa/Dakar', 'xof'],
  ['Pacific/Auckland', 'nzd'],
  ['UTC', null],
])('the currency of %s is %s', (zone, currency) => {
  expect(currencyOfZone(zone)).toBe(currency)
})
