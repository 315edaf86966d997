import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'

/** A number of people or scans per minute, with one digit behind the point while it is small. */
export function rateText(perMinute: number): string {
  const maximumFractionDigits = perMinute < 10 ? 1 : 0
  return new Intl.NumberFormat(localeOf(currentLanguage()), { maximumFractionDigits }).format(perMinute)
}
