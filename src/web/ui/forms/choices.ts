import { isCurrency } from '../../../contract/values/currencies.ts'
import { languageNames, languages } from '../../../texts/generated/languages.ts'
import { currentLanguage } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/numbers.ts'

/** The time zones that this browser knows. */
const timeZones: string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))]

const names = new Intl.DisplayNames(localeOf(currentLanguage()), { type: 'currency' })

/** The currencies that cards can be charged in and this browser knows, by name. */
const currencies: { value: string; label: string }[] = Intl.supportedValuesOf('currency')
  .filter((code) => isCurrency(code.toLowerCase()))
  .map((code) => ({ value: code.toLowerCase(), label: `${withCapital(names.of(code) ?? code)} (${code})` }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** In a list, each name stands alone: `Dollar américain`. */
function withCapital(name: string): string {
  return name.charAt(0).toLocaleUpperCase(currentLanguage()) + name.slice(1)
}

/** The zones to choose from, including the stored one, which this browser may know by another name. */
export function timeZonesWith(stored: string): string[] {
  return timeZones.includes(stored) ? timeZones : [stored, ...timeZones]
}

/** The currencies to choose from, including the stored one. */
export function currenciesWith(stored: string): { value: string; label: string }[] {
  const isKnown = currencies.some(({ value }) => value === stored)
  return isKnown ? currencies : [{ value: stored, label: stored.toUpperCase() }, ...currencies]
}

/** The time zone of this browser. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Every language by its own name, for a list to choose from. */
export const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }))
