import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/**
 * The number in E.164 (`+442079460958`); null when it cannot be a phone number. One without a country code is read as one of `country` (two
 * letters).
 */
export function toE164(phone: string, country: string | null): string | null {
  const parsed = parsePhoneNumberFromString(phone, isCountry(country) ? { defaultCountry: country } : undefined)
  return parsed?.isPossible() ? parsed.number : null
}

/** A number in E.164 as people write it, `+44 20 7946 0958`; any other text stays as it is. */
export function formatPhone(phone: string): string {
  // A stored number was parsed when it was entered. Parsing it again would double the cost, for each row of a spreadsheet.
  return /^\+\d{5,15}$/.test(phone) && hasKnownCode(phone) ? new PhoneNumber(phone).formatInternational() : phone
}

/** No country's calling code is the beginning of another's. */
function hasKnownCode(phone: string): boolean {
  callingCodes ??= new Set(countryCodes.map((code) => getCountryCallingCode(code)))
  return [1, 2, 3].some((length) => callingCodes?.has(phone.slice(1, 1 + length)))
}

let callingCodes: ReadonlySet<string> | null = null

function isCountry(code: string | null): code is CountryCode {
  return code !== null && countryCodes.some((known) => known === code)
}

const countryCodes = getCountries()

let zones: ReadonlyMap<string, string> | null = null

/** The country that uses this time zone; null for `UTC` and the like. */
export function countryOfZone(timeZone: string): string | null {
  zones ??= new Map(countryCodes.flatMap((code) => zonesOf(code).map((zone) => [zone, code])))
  return zones.get(timeZone) ?? null
}

/** The calling code of the country that uses this time zone, `+44`; empty where no country does. */
export function dialCodeOfZone(timeZone: string): string {
  const country = countryOfZone(timeZone)
  return isCountry(country) ? `+${getCountryCallingCode(country)}` : ''
}

/** Standard since 2023 as `getTimeZones`, before that a property; TypeScript knows neither yet. */
function zonesOf(country: string): string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[]; timeZones?: string[] } = new Intl.Locale('und', {
    region: country,
  })
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

export { countryCodes, getCountryCallingCode }

/** The country of a number that starts with a country code; null without one, or when the country is unknown. */
export function countryOf(phone: string): string | null {
  return phone.trim().startsWith('+') ? (parsePhoneNumberFromString(phone)?.country ?? null) : null
}

/** A number that starts with a country code as it is dialled within the country; any other text stays as it is. */
export function withoutCountry(phone: string): string {
  return phone.trim().startsWith('+') ? (parsePhoneNumberFromString(phone)?.formatNational() ?? phone) : phone
}
