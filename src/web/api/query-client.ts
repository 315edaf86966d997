import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { isRefused, Refusal } from '../../contract/errors.ts'

/** After any write, everything shown is read again: simple, and never stale. */
export function makeQueryClient(): QueryClient {
  const queryCache = new QueryCache()
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      // Without a connection a call fails and the page says so, instead of waiting silently.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        // Retries only failures that may be temporary.
        retry: (failures, error) => failures < 2 && error instanceof Refusal && !isRefused(error),
      },
    },
    queryCache,
    // Not awaited: the write is done, whether or not reading again succeeds.
    mutationCache: new MutationCache({
      onSuccess: () => {
        // A first reading that is under way is not begun again, and its answer may be from before the write.
        const first = queryCache.findAll({
          fetchStatus: 'fetching',
          predicate: (query) => query.state.data === undefined,
        })
        for (const { promise, queryKey } of first.filter(isRead))
          promise?.then(() => client.invalidateQueries({ queryKey, exact: true })).catch(() => {})
        void client.invalidateQueries({ predicate: isRead })
      },
    }),
  })
  return client
}

/** The attendee list, which can be long, refetches only the pages in view. */
const isRead = ({ meta }: Pick<Query, 'meta'>) => meta?.renewsItself !== true

export const queryClient: QueryClient = makeQueryClient()
