/** An amount of the minor unit as people write it in that currency; 0 is `Free`. */
export function formatPrice(amount: number, currency: string): string {
  if (amount === 0) return 'Free'
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
