import { expect, test } from 'vitest'
import { countries } from './countries.ts'
import { countryOf, countryOfZone, dialCodeOfZone, formatPhone, toE164, withoutCountry } from './phones.ts'

test('the list has every country by name, with code, dial code and flag; a field’s name gives that field of all', () => {
  expect(countries().length).toBeGreaterThan(200)
  expect(countries().find(({ code }) => code === 'GB')).toEqual({
    name: 'United Kingdom',
    code: 'GB',
    dialCode: '+44',
    flag: '🇬🇧',
  })
  expect(countries('code')).toEqual(countries().map(({ code }) => code))
  for (const code of countries('code')) expect(code).toMatch(/^[A-Z]{2}$/)
  for (const dialCode of countries('dialCode')) expect(dialCode).toMatch(/^\+\d{1,3}(-\d{3})?$/)
})

test('countries that share a code have their own part of it', () => {
  const dialCodeOf = (wanted: string) => countries().find(({ code }) => code === wanted)?.dialCode
  expect([dialCodeOf('US'), dialCodeOf('AG'), dialCodeOf('JM')]).toEqual(['+1', '+1-268', '+1-876'])
})

test('a number is kept in E.164, with the country where it names none', () => {
  expect(toE164('+44 20 7946 0958', null)).toBe('+442079460958')
  expect(toE164('(030) 123 45 67', 'DE')).toBe('+49301234567')
  expect(toE164('+1 268 464 1234', 'DE')).toBe('+12684641234')
  for (const wrong of ['12', 'call me', '+999 1234567', '030 1234567890123456']) expect(toE164(wrong, 'DE')).toBeNull()
  expect(toE164('030 1234567', null)).toBeNull()
})

test('a number is shown as people write it', () => {
  expect(formatPhone('+442079460958')).toBe('+44 20 7946 0958')
  expect(formatPhone('none')).toBe('none')
  expect(withoutCountry('+442079460958')).toBe('020 7946 0958')
  expect(countryOf('+49 30 1234567')).toBe('DE')
  expect(countryOf('030 1234567')).toBeNull()
})

test('a time zone tells the country', () => {
  expect([countryOfZone('Europe/Berlin'), countryOfZone('Asia/Tokyo'), countryOfZone('UTC')]).toEqual([
    'DE',
    'JP',
    null,
  ])
  expect([dialCodeOfZone('Europe/Berlin'), dialCodeOfZone('UTC')]).toEqual(['+49', ''])
})
