import { expect, test } from 'vitest'
import type { AttendeeRow } from '../../contract/attendees.ts'
import { type AttendeePage, isFirstOldest, pagesWith, rowsOf } from './attendee-pages.ts'

function row(rId: number, name: string): AttendeeRow {
  const registration = {
    ...{ id: rId, eventId: 1, clubId: 1, qrUuid: '', registrationTime: new Date(0), status: 'confirmed' as const },
    ...{ holdExpiresAt: null, amount: 0, currency: 'eur', cancelReason: null, version: 1 },
    registrationData: { name, email: '', phone: '', others: [] },
  }
  return { rId, registration, checkin: null, extras: [], mail: null, payment: null }
}

const page = (readAt: number, ids: number[]): AttendeePage => {
  return { attendees: ids.map((id) => row(id, `read at ${readAt}`)), total: 9, nextCursor: 'x', counts: null, readAt }
}
const shown = (pages: AttendeePage[]) =>
  rowsOf(pages).map(({ rId, registration }) => `${rId} ${registration.registrationData.name}`)

test('a page read again has new rows and the start of the next page, and nobody is lost or shown twice', () => {
  const [first, second] = [page(1, [9, 8, 7]), page(2, [6, 5, 4])]
  expect(shown([page(3, [10, 9, 8, 7, 6, 5]), second]).join()).toBe(
    '10 read at 3,9 read at 3,8 read at 3,7 read at 3,6 read at 3,5 read at 3,4 read at 2',
  )
  // Somebody has moved from the second page to the first.
  expect(shown([page(3, [5, 9, 8]), second])[0]).toBe('5 read at 3')
  expect(shown([first, page(3, [6, 9])])).toEqual(['8 read at 1', '7 read at 1', '6 read at 3', '9 read at 3'])
})

test('returns the pages that hold the rows in view, and always the first page', () => {
  const pages = [page(1, [9, 8, 7]), page(1, [6, 5, 4]), page(1, [3, 2, 1])]
  expect(pagesWith(pages, rowsOf(pages).slice(5, 8))).toEqual([0, 1, 2])
  expect(pagesWith(pages, rowsOf(pages).slice(7, 8))).toEqual([0, 2])
  expect(pagesWith(pages, [])).toEqual([0])
})

test('the first page is passed when another was read after it', () => {
  expect(isFirstOldest([page(1, [9]), page(2, [8])])).toBe(true)
  expect(isFirstOldest([page(3, [9]), page(2, [8])])).toBe(false)
  expect(isFirstOldest([page(1, [9])])).toBe(false)
})
