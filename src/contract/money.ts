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
