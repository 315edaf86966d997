import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/notify.ts'
import { clearSession, readSession } from './session.ts'

export interface Full<E extends Endpoint> {
  payload: Payload<E>
  /** The token of a new session, from the header `authorization`. */
  token: string | null
}

interface Options {
  /** The page shows the refusal itself, so no notification is needed. */
  quiet?: boolean
}

/** Makes one call and answers its payload. A sentence in the answer is shown; a refusal is shown and thrown on. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Payload<E>> {
  return (await callFull(endpoint, input, options)).payload
}

/** The same, with what stands in the answer's headers. */
export async function callFull<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Full<E>> {
  try {
    const response = await send(endpoint, input)
    const { payload, msg } = fromAnswer(endpoint, response.status, await readJson(response))
    if (msg) notify('success', msg)
    return { payload, token: response.headers.get('authorization') }
  } catch (error) {
    if (error instanceof Refusal) {
      if (!options.quiet) notify(error.status < 500 ? 'error' : 'info', error.message)
      if (error.code === 'SIGN_IN_NEEDED') signInAgain()
    }
    throw error
  }
}

async function send<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Response> {
  const { method, url, body } = toRequest(endpoint, input)
  const headers = new Headers()
  const token = readSession()?.token
  if (token) headers.set('authorization', `Bearer ${token}`)
  const xsrf = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  if (method === 'POST') {
    headers.set('content-type', 'application/json')
    if (xsrf) headers.set('x-xsrf-token', decodeURIComponent(xsrf))
  }
  try {
    return await fetch(url, { method, headers, body })
  } catch {
    throw new Refusal('UNAVAILABLE', { msg: 'No connection. Nothing was lost: please try again.' })
  }
}

async function readJson(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null)
  // An answer without words of ours, from a proxy on the way perhaps.
  return body ?? { msg: `Request failed with status code ${response.status}` }
}

/** The token has run out or was revoked: back to the door, with the way back. */
function signInAgain(): void {
  if (!readSession()) return
  clearSession()
  const next = window.location.pathname + window.location.search
  window.location.assign(`${paths.signin}?next=${encodeURIComponent(next)}`)
}

/** Reading: for `useSuspenseQuery` and `useQuery`. */
export function query<E extends Endpoint>(endpoint: E, input: Input<E>) {
  return queryOptions<Payload<E>, Refusal>({
    queryKey: [endpoint.path, input],
    queryFn: () => call(endpoint, input, { quiet: true }),
  })
}

/** Writing: `const save = useCall(clubApi.save)`. */
export function useCall<E extends Endpoint>(endpoint: E, options: Options = {}) {
  return useMutation<Payload<E>, Refusal, Input<E>>({ mutationFn: (input) => call(endpoint, input, options) })
}
