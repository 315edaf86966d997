/** The time zones that this browser knows. */
export const timeZones: string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))]

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** The currencies that this browser knows, by name. */
export const currencies: { value: string; label: string }[] = Intl.supportedValuesOf('currency')
  .map((code) => ({ value: code.toLowerCase(), label: `${names.of(code)} (${code})` }))
  .sort((a, b) => a.label.localeCompare(b.label))
