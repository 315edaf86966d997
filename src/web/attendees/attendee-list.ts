import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { attendeeApi } from '../../contract/attendees.ts'
import { call } from '../api/call.ts'
import { hasFailed } from '../api/query.ts'
import type { AttendeeSearch } from './attendee-filters.ts'
import type { AttendeePage } from './attendee-pages.ts'

export const PAGE = 100

/** The filters of the address as the calls take them. */
export function filtersOf({ q, status, checkin, redeemed, type, order, code }: AttendeeSearch) {
  const truth = (text: 'true' | 'false' | undefined) => (text === undefined ? undefined : text === 'true')
  return {
    searchKeyword: q.slice(0, 100),
    status,
    checkin: truth(checkin),
    redeemed: truth(redeemed),
    ticketTypeId: type,
    orderId: order,
    codeId: code,
  }
}

interface Asked {
  cursor: string | null
  limit: number
  /** The reason for the failure has already been shown. */
  isTold?: boolean
}

/** Requests one page of the list. */
export async function readPage(
  eventId: number,
  search: AttendeeSearch,
  { cursor, limit, isTold = false }: Asked,
): Promise<AttendeePage> {
  const readAt = performance.now()
  const { sort: sortBy } = search
  const asked = { eventId, sortBy, limit, ...filtersOf(search), ...(cursor !== null && { cursor }) }
  return { ...(await call(attendeeApi.getAttendees, asked, { quiet: true, isTold })), readAt }
}

/** The attendees that match, a page at a time. */
export function attendeeList(eventId: number, search: AttendeeSearch) {
  return infiniteQueryOptions({
    queryKey: [attendeeApi.getAttendees.path, eventId, filtersOf(search), search.sort],
    queryFn: ({ client, queryKey, pageParam: cursor }) =>
      readPage(eventId, search, { cursor, limit: PAGE, isTold: hasFailed(client.getQueryState(queryKey)) }),
    initialPageParam: null as string | null, // The first page has no cursor, so TypeScript cannot infer the type of the others.
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The old list stays visible while the next one loads.
    placeholderData: keepPreviousData,
    // `useAttendees` refreshes it page by page, not as a whole.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { renewsItself: true },
  })
}
