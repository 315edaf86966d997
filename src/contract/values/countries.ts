import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'
import { countryCodes, getCountryCallingCode } from './phones.ts'

export interface Country {
  name: string
  /** ISO 3166-1, two letters. */
  code: string
  /** `+44`; for countries that share a code with others, also their own part: `+1-268`. */
  dialCode: string
  /** The flag as text: two regional letters. */
  flag: string
}

// North American numbers share +1; these are the area codes of the countries that have only one (ITU-T E.164 Annex, NANPA).
const areaCodes: Readonly<Record<string, string>> = {
  AG: '268',
  AI: '264',
  AS: '684',
  BB: '246',
  BM: '441',
  BS: '242',
  DM: '767',
  DO: '809',
  GD: '473',
  GU: '671',
  JM: '876',
  KN: '869',
  KY: '345',
  LC: '758',
  MP: '670',
  MS: '664',
  PR: '787',
  SX: '721',
  TC: '649',
  TT: '868',
  VC: '784',
  VG: '284',
  VI: '340',
}

/** In the language of the pages: only browsers show the list, and each page has one language. */
const locale = localeOf(currentLanguage())
const names = new Intl.DisplayNames(locale, { type: 'region' })

const all: readonly Country[] = countryCodes
  .map((code) => ({ name: names.of(code) ?? code, code, dialCode: dialCodeOf(code), flag: flagOf(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, locale))

/** Every country by name, or one field of every one. */
export function countries(): readonly Country[]
export function countries<F extends keyof Country>(field: F): Country[F][]
export function countries<F extends keyof Country>(field?: F): readonly Country[] | Country[F][] {
  return field === undefined ? all : all.map((country) => country[field])
}

function dialCodeOf(code: (typeof countryCodes)[number]): string {
  const areaCode = areaCodes[code]
  return `+${getCountryCallingCode(code)}${areaCode ? `-${areaCode}` : ''}`
}

function flagOf(code: string): string {
  return String.fromCodePoint(...Array.from(code, (letter) => 0x1f1e6 + letter.charCodeAt(0) - 65))
}
