// Apart from money.ts, because visitors type no amounts.
import { decimalsOf } from './money.ts'

/** An amount as shown in an input field, such as `12.50`. */
export function plainAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return amount % 10 ** decimals === 0 ? String(amount / 10 ** decimals) : (amount / 10 ** decimals).toFixed(decimals)
}

/** A typed amount, in the minor unit; null when it is invalid or ambiguous: “1,000” means a thousand to some and one to others. */
export function minorUnits(text: string, currency: string): number | null {
  const typed = text.trim()
  const decimals = decimalsOf(currency)
  // Three decimals only after a point, as `plainAmount` writes them and nobody writes thousands there.
  const pattern = [/^\d+$/, /^\d+([.,]\d)?$/, /^\d+([.,]\d{1,2})?$/, /^\d+(\.\d{1,3}|,\d{1,2})?$/][decimals]
  if (!pattern?.test(typed)) return null
  return Math.round(Number(typed.replace(',', '.')) * 10 ** decimals)
}
