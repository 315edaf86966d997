import { formatDate } from '../../contract/values/dates.ts'

interface Dated {
  id: number
  at: Date
}

/** Entries that follow each other and are of the same day in this zone. */
export function byDay<E extends Dated>(
  entries: readonly E[],
  timeZone: string,
): { key: number; entries: [E, ...E[]] }[] {
  const days: { key: number; entries: [E, ...E[]] }[] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last && formatDate(last.entries[0].at, timeZone) === formatDate(entry.at, timeZone)) last.entries.push(entry)
    else days.push({ key: entry.id, entries: [entry] })
  }
  return days
}
