import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A number of bytes as the current language writes it, in the unit that suits it: `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return new Intl.NumberFormat(localeOf(currentLanguage()), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power < 3 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}
