import { focusManager, type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { lastOpenedAt } from '../routing/page-route.ts'
import type { AttendeeSearch } from './attendee-filters.ts'
import { attendeeList, PAGE, readPage } from './attendee-list.ts'
import { type AttendeePage, pagesWith, rowsOf } from './attendee-pages.ts'

/**
 * The attendees that match, a page at a time as they are scrolled to. After a change only the pages in view are read anew, and the
 * others when they come into view: `view` is the first and the last row of those on the screen.
 */
export function useAttendees(eventId: number, search: AttendeeSearch, view: readonly [number, number]) {
  const client = useQueryClient()
  const list = attendeeList(eventId, search)
  const query = useInfiniteQuery(list)
  const { data, isPlaceholderData, isFetching } = query
  const rows = rowsOf(data?.pages ?? [])

  const changedAt = useChangedAt()
  const isRenewing = useRef(false)
  useEffect(() => {
    if (!data || isPlaceholderData || isFetching || isRenewing.current) return
    const inView = pagesWith(data.pages, rows.slice(view[0], view[1] + 1))
    const at = inView.find((index) => (data.pages[index]?.readAt ?? changedAt) < changedAt)
    if (at === undefined) return
    const cursor: unknown = data.pageParams[at]
    isRenewing.current = true
    // Twice as many: rows that newcomers push out of this page are still read.
    readPage(eventId, search, { cursor: typeof cursor === 'string' ? cursor : null, limit: 2 * PAGE })
      .then((latest) =>
        client.setQueryData<InfiniteData<AttendeePage, string | null>>(
          list.queryKey,
          (old) => old && { ...old, pages: old.pages.map((page, index) => (index === at ? latest : page)) },
        ),
      )
      // Shown as it was, until the next change or step through the list.
      .catch(() => {})
      .finally(() => {
        isRenewing.current = false
      })
  })
  return { query, rows, total: data?.pages[0]?.total ?? 0 }
}

/** When the page was opened, something was last written here, or somebody came back to the page: what was read before may be old. */
function useChangedAt(): number {
  const client = useQueryClient()
  const [changedAt, setChangedAt] = useState(lastOpenedAt)
  useEffect(() => {
    const note = () => setChangedAt(performance.now())
    const ends = [
      client
        .getMutationCache()
        .subscribe((event) => event.type === 'updated' && event.action.type === 'success' && note()),
      focusManager.subscribe((isFocused) => isFocused && note()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [client])
  return changedAt
}
