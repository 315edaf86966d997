import { formatDate, formatTime } from '../../contract/values/dates.ts'

/** A moment as the operator's own clock shows it. */
export function momentHere(at: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
}
