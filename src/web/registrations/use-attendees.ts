import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { registrationApi } from '../../contract/registrations.ts'
import { call } from '../api/call.ts'
import type { AttendeeSearch } from './attendee-filters.ts'

const PAGE = 100

/** The attendees that match, a page at a time as they are scrolled to. */
export function useAttendees(eventId: number, { q, status, checkin, redeemed, sort }: AttendeeSearch) {
  const truth = (text: 'true' | 'false' | undefined) => (text === undefined ? undefined : text === 'true')
  const filters = { status, checkin: truth(checkin), redeemed: truth(redeemed) }
  return useInfiniteQuery({
    queryKey: [registrationApi.getAttendees.path, eventId, q, filters, sort],
    queryFn: ({ pageParam: cursor }) =>
      call(
        registrationApi.getAttendees,
        {
          eventId,
          searchKeyword: q.slice(0, 100),
          sortBy: sort,
          limit: PAGE,
          ...filters,
          ...(cursor !== null && { cursor }),
        },
        { quiet: true },
      ),
    initialPageParam: null as string | null, // The first page has no cursor; the type of the others is not known from it.
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The list stays while the next one is looked up.
    placeholderData: keepPreviousData,
  })
}
