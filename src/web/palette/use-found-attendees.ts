import { useDebouncedValue } from '@mantine/hooks'
import { IconUser, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { attendeeApi } from '../../contract/attendees.ts'
import * as texts from '../../texts/generated/search.ts'
import { query } from '../api/query.ts'
import * as paths from '../paths.ts'
import type { Entry, Group } from './entries.ts'

/** How many are shown; the rest is in the list. */
const MOST = 6
const PAUSE_MS = 200

/** Attendees of the open event that match; only the answer to what is typed now counts. */
export function useFoundAttendees(eventId: number | null, typed: string) {
  const { pathname, search } = useLocation()
  const wanted = typed.trim().slice(0, 100)
  const [settled] = useDebouncedValue(wanted, PAUSE_MS)
  // One letter matches nearly everybody; a digit may be an id.
  const isAsked = eventId !== null && (wanted.length > 1 || /^\d$/.test(wanted))
  const isSettled = settled === wanted
  const input = { eventId: eventId ?? 0, searchKeyword: settled, limit: MOST, sortBy: 'name' as const }
  const found = useQuery({
    ...query(attendeeApi.getAttendees, input),
    enabled: isAsked && isSettled,
    retry: false,
  })
  if (!isAsked) return { group: null, isSearching: false, isFailed: false, retry: () => {} }
  const { data, isFetching, isError, refetch } = found
  const list = paths.attendees(eventId)
  const entries = (isSettled && data ? data.attendees : []).map(({ rId, registration }): Entry => {
    const params = new URLSearchParams(pathname === list ? search : '')
    // From one attendee to the next the history does not grow, as in the list itself.
    const replace = params.has('open')
    params.set('open', String(rId))
    const { name, email } = registration.registrationData
    return {
      key: `attendee-${rId}`,
      label: name,
      note: email || `#${String(rId).padStart(5, '0')}`,
      Icon: IconUser,
      target: { to: `${list}?${params}`, replace },
    }
  })
  const rest: Entry = {
    key: 'all-attendees',
    label: texts.seeAll({ count: data?.total ?? 0 }),
    Icon: IconUsers,
    target: { to: `${list}?${new URLSearchParams({ q: wanted })}` },
  }
  const group: Group | null =
    entries.length === 0
      ? null
      : { title: texts.attendees(), entries: (data?.total ?? 0) > entries.length ? [...entries, rest] : entries }
  return {
    group,
    isSearching: !isSettled || (isFetching && !data),
    isFailed: isSettled && isError && !isFetching,
    retry: () => void refetch(),
  }
}
