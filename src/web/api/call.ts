import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { fromAnswer, toRequest } from '../../contract/wire.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/notify.ts'
import { saveFile } from '../ui/save-file.ts'
import { counted } from './in-flight.ts'
import { noteLastSeen } from './last-seen.ts'
import { noteServerTime } from './server-time.ts'
import { clearSession, readSession } from './session.ts'

/** The one answer that the service worker keeps. */
const TICKET_PATH = '/api/registration/getRegistration'

export interface Full<E extends Endpoint> {
  payload: Payload<E>
  /** The token of a new session, from the header `authorization`. */
  token: string | null
}

interface Options {
  /** The page shows the refusal itself, so no notification is needed. */
  quiet?: boolean
  /** An image to send with it, for a call that takes one. */
  file?: File | null | undefined
  /** Nobody waits for it: it moves no progress bar. */
  background?: boolean
  /** How long its answer is waited for, in ms. */
  timeoutMs?: number
  /** A header to send with it. */
  header?: readonly [name: string, value: string]
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
    const response = await sendWithProof(endpoint, input, options)
    if (!response.headers.has('x-last-seen')) noteServerTime(response.headers.get('date'))
    if (endpoint.path === TICKET_PATH) noteLastSeen(response.headers.get('x-last-seen'))
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

/** Where the server asks for a proof of work, does it and sends the same again. */
async function sendWithProof<E extends Endpoint>(endpoint: E, input: Input<E>, options: Options): Promise<Response> {
  const response = await send(endpoint, input, options)
  if (response.status !== 429) return response
  // Loaded only now, since hardly anybody is ever asked. Without it the refusal is shown.
  const proof = await import('./proof.ts').catch(() => null)
  return proof ? proof.proveAndSend(response, (header) => send(endpoint, input, { ...options, header })) : response
}

/** An answer that has not come by then, in ms, counts as no connection. */
const ANSWER_MS = 30_000
const UPLOAD_MS = 120_000

async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { file = null, background = false, timeoutMs = file ? UPLOAD_MS : ANSWER_MS, header }: Options,
): Promise<Response> {
  const { method, url, body: json } = toRequest(endpoint, input)
  const headers = new Headers()
  if (header) headers.set(...header)
  const body = file && endpoint.upload && json !== null ? toForm(endpoint.upload, json, file) : json
  const token = readSession()?.token
  if (token) headers.set('authorization', `Bearer ${token}`)
  const xsrf = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  if (method === 'POST') {
    // A form's type is set by the browser, with the boundary that it chose.
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    if (xsrf) headers.set('x-xsrf-token', decodeURIComponent(xsrf))
  }
  try {
    const answer = fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) })
    return await (background ? answer : counted(answer))
  } catch {
    throw new Refusal('UNAVAILABLE', { msg: 'No connection. Nothing was lost: please try again.' })
  }
}

/** The call's JSON as a form with the file. */
function toForm(upload: NonNullable<Endpoint['upload']>, json: string, file: File): FormData {
  const form = new FormData()
  const fields: unknown = JSON.parse(json)
  for (const [name, value] of Object.entries(fields ?? {}))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.append(upload.file, file)
  return form
}

/** Fetches the file that a call answers and hands it to the browser to keep. */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<void> {
  const response = await send(endpoint, input, {})
  if (!response.ok) {
    fromAnswer(endpoint, response.status, await readJson(response))
    return
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'
  saveFile(await response.blob(), name)
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

/** Writing with an image: `mutateAsync({ input, file })`. */
export function useUpload<E extends Endpoint>(endpoint: E, options: Omit<Options, 'file'> = {}) {
  return useMutation<Payload<E>, Refusal, { input: Input<E>; file: File | null }>({
    mutationFn: ({ input, file }) => call(endpoint, input, { ...options, file }),
  })
}

/** Writing: `const save = useCall(clubApi.save)`. */
export function useCall<E extends Endpoint>(endpoint: E, options: Options = {}) {
  return useMutation<Payload<E>, Refusal, Input<E>>({ mutationFn: (input) => call(endpoint, input, options) })
}
