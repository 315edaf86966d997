import { isCurrency } from '../../contract/currencies.ts'

/** The time zones that this browser knows. */
export const timeZones: string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))]

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** The currencies that cards can be charged in and this browser knows, by name. */
export const currencies: { value: string; label: string }[] = Intl.supportedValuesOf('currency')
  .filter((code) => isCurrency(code.toLowerCase()))
  .map((code) => ({ value: code.toLowerCase(), label: `${names.of(code)} (${code})` }))
  .sort((a, b) => a.label.localeCompare(b.label))
