import * as z from 'zod/mini'
import { sortOrders } from '../../contract/attendees.ts'
import { registrationStatus } from '../../contract/registrations.ts'
import { changedQuery, type QueryChange, useQueryParams } from '../routing/use-query-params.ts'

const idInAddress = z.codec(z.string().check(z.regex(/^\d{1,9}$/)), z.int(), { decode: Number, encode: String })

const search = z.object({
  q: z.catch(z.string(), ''),
  status: z.catch(z.optional(registrationStatus), undefined),
  checkin: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  redeemed: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  sort: z.catch(z.enum(sortOrders), 'registration'),
  /** A ticket type. */
  type: z.catch(z.optional(idInAddress), undefined),
  order: z.catch(z.optional(idInAddress), undefined),
  code: z.catch(z.optional(idInAddress), undefined),
  open: z.catch(z.optional(idInAddress), undefined),
})

export type AttendeeSearch = z.output<typeof search>
export type SearchChange = QueryChange<keyof AttendeeSearch>

export function readSearch(params: URLSearchParams): AttendeeSearch {
  return z.parse(search, Object.fromEntries(params))
}

/** The list's filters and the row that is open, all in the address, so that they can be shared and Back restores them. */
export function useAttendeeSearch() {
  const { params, change } = useQueryParams<keyof AttendeeSearch>()
  const current = readSearch(params)
  return {
    current,
    change: (next: SearchChange) =>
      // Back leads from a panel to the list, however many attendees were viewed in it, and never to a closed panel.
      change(next, { replace: next.open === undefined || current.open !== undefined }),
    /** The address of the list with other filters. */
    addressWith: (next: SearchChange) => `?${changedQuery(params, next)}`,
  }
}
