import { focusManager, type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { lastOpenedAt } from '../routing/page-route.ts'
import type { AttendeeSearch } from './attendee-filters.ts'
import { attendeeList, PAGE, readPage } from './attendee-list.ts'
import { type AttendeePage, isFirstOldest, pagesWith, rowsOf } from './attendee-pages.ts'

/**
 * The attendees that match, loaded a page at a time while scrolling. After a change only the pages in view are refreshed, the others
 * when they come into view: `view` is the first and the last row on the screen.
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
    const isOld = (index: number) => (data.pages[index]?.readAt ?? changedAt) < changedAt
    // Somebody who came in after the first page was read is missing from a later page read since; the first page has them.
    const isPassed = search.sort === 'checkin' && isFirstOldest(data.pages)
    const at = inView.find(isOld) ?? (isPassed ? 0 : undefined)
    if (at === undefined) return
    const cursor: unknown = data.pageParams[at]
    isRenewing.current = true
    // Twice as many, so that rows that newcomers have pushed off this page are still read.
    readPage(eventId, search, { cursor: typeof cursor === 'string' ? cursor : null, limit: 2 * PAGE })
      .then((latest) =>
        client.setQueryData<InfiniteData<AttendeePage, string | null>>(
          list.queryKey,
          (old) => old && { ...old, pages: old.pages.map((page, index) => (index === at ? latest : page)) },
        ),
      )
      // The old rows stay until the next change or scroll.
      .catch(() => {})
      .finally(() => {
        isRenewing.current = false
      })
  })
  const first = data?.pages[0]
  return { query, rows, total: first?.total ?? 0, counts: first?.counts ?? null }
}

/** The last time the page was opened, a write succeeded, or the tab was focused again: data read earlier may be stale. */
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
