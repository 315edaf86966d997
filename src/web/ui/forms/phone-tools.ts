import { type Country, countries } from '../../../contract/values/countries.ts'
import { countryOf, countryOfZone, formatPhone, toE164, withoutCountry } from '../../../contract/values/phones.ts'

const flags = import.meta.glob<string>('../../../../node_modules/country-flag-icons/3x2/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Countries and number formats for phone fields; large, so loaded separately. */
export interface PhoneTools {
  countries: readonly Country[]
  /** The country of a number with a country code; null for others. */
  countryOf: (phone: string) => string | null
  countryOfZone: (timeZone: string) => string | null
  toE164: (phone: string, country: string) => string | null
  /** The number as people write it, with its country code; null if it cannot be parsed. */
  asWritten: (phone: string, country: string) => string | null
  /** The number as it is dialled within its country. */
  withoutCountry: (phone: string) => string
  flagUrl: (country: string) => string | undefined
}

export const phoneTools: PhoneTools = {
  countries: countries(),
  countryOf,
  countryOfZone,
  toE164,
  asWritten: (phone, country) => {
    const number = toE164(phone, country)
    return number && formatPhone(number)
  },
  withoutCountry,
  flagUrl: (country) => flags[`../../../../node_modules/country-flag-icons/3x2/${country}.svg`],
}
