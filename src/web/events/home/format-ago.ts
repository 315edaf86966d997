import { formatDate } from '../../../contract/values/dates.ts'

const MINUTE_MS = 60_000
const words = new Intl.RelativeTimeFormat('en-GB')

/** `2 hours ago` within a day, the date before that. */
export function formatAgo(at: Date, now: Date, timeZone: string): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / MINUTE_MS)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return words.format(-minutes, 'minute')
  return minutes < 24 * 60 ? words.format(-Math.floor(minutes / 60), 'hour') : formatDate(at, timeZone)
}
