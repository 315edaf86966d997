import * as z from 'zod/mini'
import * as callTexts from '../texts/generated/calls.ts'
import type { Endpoint, Input, Payload } from './endpoint.ts'
import { isRefusalCode, Refusal } from './errors.ts'
import { wrongFields } from './wrong-fields.ts'

export interface WireRequest {
  method: 'GET' | 'POST'
  /** The path with its query. */
  url: string
  /** The JSON text of a POST. */
  body: string | null
}

/**
 * A call as an HTTP request, as the web and the tests send it. Input that the server would refuse as invalid is refused here already, with
 * the same messages: INVALID_INPUT with the fields.
 */
export function toRequest<E extends Endpoint>({ method, path, input: schema }: E, input: Input<E>): WireRequest {
  const result = z.safeEncode(schema, input)
  if (!result.success) {
    throw new Refusal('INVALID_INPUT', { fields: wrongFields(result.error.issues) })
  }
  const encoded: unknown = result.data
  if (method === 'POST') return { method, url: path, body: JSON.stringify(encoded ?? {}) }
  const query = Object.entries(isObject(encoded) ? encoded : {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  return { method, url: query.length > 0 ? `${path}?${query.join('&')}` : path, body: null }
}

/** Reads an answer; a refusal is thrown just as the server threw it. */
export function fromAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  body: unknown,
): { payload: Payload<E>; msg: string | null } {
  const answer = isObject(body) ? body : {}
  const msg = typeof answer.msg === 'string' ? answer.msg : null
  if (status >= 200 && status < 300) {
    const result = z.safeDecode(endpoint.payload, answer.payload as never)
    // An unreadable answer counts as none: it may come from a proxy, or from another version.
    if (!result.success) throw new Refusal('UNAVAILABLE', { msg: callTexts.unreadableAnswer, cause: result.error })
    // The schema's output type is Payload<E> by definition; TypeScript cannot follow it through the generic.
    return { payload: result.data as Payload<E>, msg }
  }
  const errors = Array.isArray(answer.errors) ? answer.errors.filter(isFieldError) : []
  const fields = errors.map(({ path, msg: text }) => ({ path, msg: () => text }))
  const details = { fields, payload: answer.payload, status, ...(msg !== null && { msg: () => msg }) }
  if (isRefusalCode(answer.code)) throw new Refusal(answer.code, details)
  const code = status === 503 ? 'UNAVAILABLE' : 'INTERNAL'
  throw new Refusal(code, { msg: () => callTexts.failedWithStatus({ status }), ...details })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFieldError(value: unknown): value is { path: string; msg: string } {
  return isObject(value) && typeof value.path === 'string' && typeof value.msg === 'string'
}
