// Apart from money.ts, because visitors type no amounts.
import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'
import { decimalsOf } from './money.ts'

/** An amount as shown in an input field: `12.50`, in German `12,50`, or `12` without decimals that are zero. */
export function editableAmount(amount: number, currency: string): string {
  return withMark(plainAmount(amount, currency), currency)
}

/** An amount as shown in an input field, always with its decimals: `12.00`. */
export function exactAmount(amount: number, currency: string): string {
  return withMark(withDecimals(amount, currency), currency)
}

/** An amount for programs: `12.50`, or `12` without decimals that are zero. */
export function plainAmount(amount: number, currency: string): string {
  const unit = 10 ** decimalsOf(currency)
  return amount % unit === 0 ? String(amount / unit) : withDecimals(amount, currency)
}

function withDecimals(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return (amount / 10 ** decimals).toFixed(decimals)
}

/** With the decimal mark of the current language, but not before three decimals: after a comma they could be thousands. */
function withMark(amount: string, currency: string): string {
  return decimalsOf(currency) === 3 ? amount : amount.replace('.', decimalMark())
}

function decimalMark(): string {
  const parts = new Intl.NumberFormat(localeOf(currentLanguage())).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** A typed amount, in the minor unit; null when it is invalid or ambiguous: “1,000” means a thousand to some and one to others. */
export function minorUnits(text: string, currency: string): number | null {
  const typed = text.trim()
  const decimals = decimalsOf(currency)
  // Three decimals only after a point, as `editableAmount` writes them and nobody writes thousands there.
  const pattern = [/^\d+$/, /^\d+([.,]\d)?$/, /^\d+([.,]\d{1,2})?$/, /^\d+(\.\d{1,3}|,\d{1,2})?$/][decimals]
  if (!pattern?.test(typed)) return null
  return Math.round(Number(typed.replace(',', '.')) * 10 ** decimals)
}
