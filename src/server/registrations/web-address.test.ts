import { expect, test } from 'vitest'
import { hasWebAddress } from './web-address.ts'

test.each(['https://evil.example', 'Win at evil.com', 'www.evil', 'evil.com/x now', 'Buy(shop-x.de)', 'a EVIL.COM.'])(
  '%s has a web address in it',
  (name) => {
    expect(hasWebAddress(name)).toBe(true)
  },
)

test.each([
  'Zoë 山田',
  'J.R.R. Tolkien',
  'Dr.med. Schmidt',
  'Jan v.d. Berg',
  'St.John',
  'Max.Mustermann',
  "Sean O'Co.nor",
])('%s is a name', (name) => {
  expect(hasWebAddress(name)).toBe(false)
})
