import { formatDate } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/ago.ts'
import { currentLanguage, type Language } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/numbers.ts'

const MINUTE_MS = 60_000
const formats = new Map<Language, Intl.RelativeTimeFormat>()

function formatOf(language: Language): Intl.RelativeTimeFormat {
  const known = formats.get(language) ?? new Intl.RelativeTimeFormat(localeOf(language))
  formats.set(language, known)
  return known
}

/** `2 hours ago` within a day, the date before that. */
export function formatAgo(at: Date, now: Date, timeZone: string): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / MINUTE_MS)
  if (minutes < 1) return texts.justNow()
  const format = formatOf(currentLanguage())
  if (minutes < 60) return format.format(-minutes, 'minute')
  return minutes < 24 * 60 ? format.format(-Math.floor(minutes / 60), 'hour') : formatDate(at, timeZone)
}
