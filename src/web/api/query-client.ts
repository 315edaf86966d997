import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isRefused, Refusal } from '../../contract/errors.ts'

/** After any write everything shown is read again: simple, and never wrong. */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails and the page says so, instead of waiting without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // Only what may pass by itself is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof Refusal && !isRefused(error),
    },
  },
  // Not waited for: what was written is done, whatever the reading anew comes to.
  mutationCache: new MutationCache({
    // The attendee list, which can be long, reads anew only what of it is in view.
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.renewsItself !== true }),
  }),
})
