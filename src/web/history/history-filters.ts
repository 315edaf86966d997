import * as z from 'zod/mini'
import { historySubjects } from '../../contract/history.ts'
import { idText } from '../../contract/values/fields.ts'
import { useQueryParams } from '../routing/use-query-params.ts'

const search = z.object({
  by: z.catch(z.optional(z.string().check(z.regex(/^(operator|[1-9]\d{0,8})$/))), undefined),
  event: z.catch(z.optional(idText), undefined),
  subject: z.catch(z.optional(z.enum(historySubjects)), undefined),
})

/** The filters of the history, as its address has them. */
export type HistorySearch = z.output<typeof search>

export function readSearch(params: URLSearchParams): HistorySearch {
  return z.parse(search, Object.fromEntries(params))
}

/** The filters as the calls take them. */
export function filtersOf({ by, event: eventId, subject }: HistorySearch) {
  return { by, eventId, subject }
}

/** The filters in the address, so that they can be shared and Back restores them. */
export function useHistorySearch() {
  const { params, change } = useQueryParams<keyof HistorySearch>()
  return { current: readSearch(params), change }
}
