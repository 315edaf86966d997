import { formatDate, formatTime } from '../../contract/values/dates.ts'

/** Day and time where the reader is. */
export function momentText(at: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
}

/** What a webhook is called: the host of its address. */
export function nameOf(url: string): string {
  return /^https?:\/\/([^/?]+)/i.exec(url)?.[1] ?? url
}
