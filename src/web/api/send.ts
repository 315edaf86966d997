import type { Endpoint, Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { toRequest } from '../../contract/wire.ts'
import * as texts from '../../texts/generated/calls.ts'
import { currentLanguage, type Message } from '../../texts/language.ts'
import { readToken } from '../session/token.ts'
import { counted } from './in-flight.ts'

export interface SendOptions {
  /** An image to send with it, for a call that takes one. */
  file?: File | null | undefined
  /** A background request: it shows no progress bar and no notification. */
  background?: boolean
  /** How long to wait for the answer, in ms. */
  timeoutMs?: number
  /** Is sent even if the page is closed meanwhile. For small inputs. */
  keepalive?: boolean
  /** Aborts the request; used instead of a timeout. */
  signal?: AbortSignal
  /** Looks at the answer before it is read. */
  watch?: (response: Response) => Response
  /** A header to send with it. */
  header?: readonly [name: string, value: string]
}

/** After this time without an answer, in ms, the request counts as unanswered. */
const ANSWER_MS = 30_000
const UPLOAD_MS = 120_000

/**
 * Sends one call and lets `read` process the answer; each call of `alive` restarts the timeout. A missing or incomplete answer
 * is the refusal UNAVAILABLE. Uses a timer of its own, because old browsers have no `AbortSignal.timeout`.
 */
export async function send<E extends Endpoint, T>(
  endpoint: E,
  input: Input<E>,
  options: SendOptions,
  read: (response: Response, alive: () => void) => Promise<T>,
): Promise<T> {
  const { file = null, background = false, timeoutMs = file ? UPLOAD_MS : ANSWER_MS, header, signal, watch } = options
  const { keepalive = false } = options
  const { method, url, body: json } = toRequest(endpoint, input)
  const headers = new Headers()
  // Messages come in the language of the page, which may not be the browser's.
  headers.set('accept-language', currentLanguage())
  if (header) headers.set(...header)
  const body = file && endpoint.upload && json !== null ? toForm(endpoint.upload, json, file) : json
  const token = readToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const xsrf = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  if (method === 'POST') {
    // A form's type is set by the browser, with the boundary that it chose.
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    if (xsrf) headers.set('x-xsrf-token', decodeURIComponent(xsrf))
  }
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    if (!signal) timer = setTimeout(() => stop.abort(), timeoutMs)
  }
  const work = async () => {
    const response = await fetch(url, { method, headers, body, keepalive, signal: signal ?? stop.signal })
    return read(watch?.(response) ?? response, alive)
  }
  try {
    alive()
    return await (background ? work() : counted(work()))
  } catch {
    throw new Refusal('UNAVAILABLE', { msg: noAnswer(method) })
  } finally {
    clearTimeout(timer)
  }
}

/** A message that states only what is known: it is unknown whether a write arrived. */
function noAnswer(method: string): Message {
  if (navigator.onLine === false) return texts.offline
  return method === 'GET' ? texts.noAnswer : texts.noAnswerToChange
}

/** The call's JSON as form data, with the file. */
function toForm(upload: NonNullable<Endpoint['upload']>, json: string, file: File): FormData {
  const form = new FormData()
  const fields: unknown = JSON.parse(json)
  for (const [name, value] of Object.entries(fields ?? {}))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.append(upload.file, file)
  return form
}

/** The JSON of an answer; null for a refusal without our JSON, such as a proxy's. A success without JSON counts as no answer. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    if (response.ok) throw error
    return null
  }
}
