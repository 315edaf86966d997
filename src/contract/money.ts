const digits = new Map<string, number>()

/** How many decimals a currency has: 2 for the euro, none for the yen. */
export function decimalsOf(currency: string): number {
  const known = digits.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  digits.set(currency, decimals)
  return decimals
}

/** An amount of the minor unit as people write it in that currency; 0 is `Free`. */
export function formatPrice(amount: number, currency: string): string {
  if (amount === 0) return 'Free'
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() })
  return format.format(amount / 10 ** decimalsOf(currency))
}

/** An amount as it stands in a field for typing, such as `12.50`. */
export function plainAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return amount % 10 ** decimals === 0 ? String(amount / 10 ** decimals) : (amount / 10 ** decimals).toFixed(decimals)
}

/** What was typed, in the minor unit; null when it is no clear amount: “1,000” is a thousand to one and one to another. */
export function minorUnits(text: string, currency: string): number | null {
  const typed = text.trim()
  const pattern = decimalsOf(currency) === 0 ? /^\d+$/ : /^\d+([.,]\d{1,2})?$/
  if (!pattern.test(typed)) return null
  return Math.round(Number(typed.replace(',', '.')) * 10 ** decimalsOf(currency))
}
