import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isRefused, Refusal } from '../../contract/errors.ts'

/** After any write, everything shown is read again: simple, and never stale. */
export const queryClient: QueryClient = new QueryClient({
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
  // Not awaited: the write is done, whether or not reading again succeeds.
  mutationCache: new MutationCache({
    // The attendee list, which can be long, refetches only the pages in view.
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.renewsItself !== true }),
  }),
})
