import type { AttendeeRow, attendeeApi } from '../../contract/attendees.ts'
import type { Payload } from '../../contract/endpoint.ts'

/** A page of the attendee list, and when it was asked for, by the page's own clock. */
export interface AttendeePage extends Payload<typeof attendeeApi.getAttendees> {
  readAt: number
}

/** The rows of all pages in order. Somebody on several pages, because something moved in between, is shown where they were read last. */
export function rowsOf(pages: readonly AttendeePage[]): AttendeeRow[] {
  const owners = new Map<number, AttendeePage>()
  for (const page of pages)
    for (const { rId } of page.attendees) if (page.readAt > (owners.get(rId)?.readAt ?? -1)) owners.set(rId, page)
  return pages.flatMap((page) => page.attendees.filter(({ rId }) => owners.get(rId) === page))
}

/** The places of the pages that hold these rows. The first is always one of them: it knows the total. */
export function pagesWith(pages: readonly AttendeePage[], rows: readonly AttendeeRow[]): number[] {
  const ids = new Set(rows.map(({ rId }) => rId))
  return pages.flatMap(({ attendees }, at) => (at === 0 || attendees.some(({ rId }) => ids.has(rId)) ? [at] : []))
}
