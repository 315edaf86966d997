import type { AttendeeRow, attendeeApi } from '../../contract/attendees.ts'
import type { Payload } from '../../contract/endpoint.ts'

/** A page of the attendee list, and when it was requested, by `performance.now()`. */
export interface AttendeePage extends Payload<typeof attendeeApi.getAttendees> {
  readAt: number
}

/** The rows of all pages in order. An attendee on several pages, because rows moved between reads, is shown where they were read last. */
export function rowsOf(pages: readonly AttendeePage[]): AttendeeRow[] {
  const owners = new Map<number, AttendeePage>()
  for (const page of pages)
    for (const { rId } of page.attendees) if (page.readAt > (owners.get(rId)?.readAt ?? -1)) owners.set(rId, page)
  return pages.flatMap((page) => page.attendees.filter(({ rId }) => owners.get(rId) === page))
}

/** The indexes of the pages that hold these rows. The first page is always included, because it has the total. */
export function pagesWith(pages: readonly AttendeePage[], rows: readonly AttendeeRow[]): number[] {
  const ids = new Set(rows.map(({ rId }) => rId))
  return pages.flatMap(({ attendees }, at) => (at === 0 || attendees.some(({ rId }) => ids.has(rId)) ? [at] : []))
}

/** Whether a later page was read after the first. */
export function isFirstOldest(pages: readonly AttendeePage[]): boolean {
  const [first, ...later] = pages
  return first !== undefined && later.some(({ readAt }) => readAt > first.readAt)
}
