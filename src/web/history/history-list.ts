import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { historyApi } from '../../contract/history.ts'
import { call } from '../api/call.ts'
import { hasFailed } from '../api/query.ts'
import { filtersOf, type HistorySearch } from './history-filters.ts'

/** The entries that match, a page at a time. */
export function historyList(clubId: number, search: HistorySearch) {
  const filters = filtersOf(search)
  return infiniteQueryOptions({
    queryKey: [historyApi.getHistory.path, clubId, filters],
    queryFn: ({ client, queryKey, pageParam }) => {
      const asked = { clubId, ...filters, ...(pageParam !== null && { before: pageParam }) }
      return call(historyApi.getHistory, asked, { quiet: true, isTold: hasFailed(client.getQueryState(queryKey)) })
    },
    initialPageParam: null as number | null, // The first page has no parameter, so TypeScript cannot infer the type of the others.
    getNextPageParam: ({ next }) => next,
    // The old list stays visible while the next one loads.
    placeholderData: keepPreviousData,
  })
}
