import { type QueryState, queryOptions, useMutation } from '@tanstack/react-query'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import type { Refusal } from '../../contract/errors.ts'
import { type CallOptions, call } from './call.ts'

/** Reading: for `useSuspenseQuery` and `useQuery`. A query that keeps failing shows its error once, until it succeeds. */
export function query<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Pick<CallOptions, 'saysMissing'> = {},
) {
  return queryOptions<Payload<E>, Refusal>({
    queryKey: [endpoint.path, input],
    queryFn: ({ client, queryKey }) => {
      const state = client.getQueryState(queryKey)
      // A page that shows earlier data does not say that they are gone.
      const saysMissing = options.saysMissing === true && state?.data === undefined
      return call(endpoint, input, { saysMissing, quiet: true, isTold: hasFailed(state) })
    },
  })
}

/** Whether the previous attempt failed. */
export function hasFailed(state: QueryState<unknown, unknown> | undefined): boolean {
  return state !== undefined && (state.fetchFailureCount > 0 || state.errorUpdatedAt > state.dataUpdatedAt)
}

/** Writing with an image: `mutateAsync({ input, file })`. */
export function useUpload<E extends Endpoint>(endpoint: E, options: Omit<CallOptions, 'file'> = {}) {
  return useMutation<Payload<E>, Refusal, { input: Input<E>; file: File | null }>({
    mutationFn: ({ input, file }) => call(endpoint, input, { ...options, file }),
  })
}

/** Writing: `const save = useCall(clubApi.save)`. */
export function useCall<E extends Endpoint>(endpoint: E, options: CallOptions = {}) {
  return useMutation<Payload<E>, Refusal, Input<E>>({ mutationFn: (input) => call(endpoint, input, options) })
}
