import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api, Endpoint, Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { PROOF_HEADER } from '../../contract/proofs.ts'
import { inLanguage, type Language, type Message } from '../../texts/language.ts'
import type { Caller } from '../access/caller.ts'
import type { Gate, Proven } from '../access/gate.ts'
import { actingWith } from '../acting-token.ts'
import { isCollision } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { compressed } from './compressed.ts'
import { Deadline } from './deadline.ts'
import { failureOf, toRefusal } from './errors.ts'
import { type Form, readForm } from './input/multipart.ts'
import { parse } from './input/parse.ts'
import { tolerate } from './input/tolerate.ts'
import { makeJsonWriter, type WriteJson } from './json-writer.ts'
import { askedLanguageOf, languageOf } from './request-language.ts'

/** A call as its handler gets it: the parsed input, what the caller proved, and where the request came from. */
type Call<E extends Endpoint> = Proven<E['access']> & {
  input: Input<E>
  /** The image in the request; null for none. */
  upload: Buffer | null
  address: string
  /** The header that names the browser; empty for none. */
  userAgent: string
  /** Makes a signal that aborts when the connection closes, for work that nobody waits for then. */
  closed: () => AbortSignal
  /** The proof of work in the request's header; null for none. */
  proof: string | null
  /** The language for the caller: English for one that names none of ours. */
  language: () => Language
  /** The language that the caller asks for; null for none of ours. */
  askedLanguage: () => Language | null
}

/** The limit of a `largeBody`, in bytes. */
const LARGE_BODY = 4 * 1024 * 1024
/** How often a call is tried whose transaction PostgreSQL ends. */
const TRIES = 3

/** A handler's answer: the payload, and a sentence for people if one is needed. */
interface Answer<E extends Endpoint> {
  payload: Payload<E>
  msg?: Message
  /** The file that is sent instead of JSON, for calls that return one. */
  file?: { name: string; content: Readable }
  /** The token of a new session, sent in the header `authorization`. */
  token?: string
}

type Handlers<A extends Api> = { [Name in keyof A]: (call: Call<A[Name]>) => Promise<Answer<A[Name]>> }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    deadline: Deadline
  }
}

/** Mounts the routes of one feature. It does not compile until every call of the contract has its handler. */
export type Implement = <A extends Api>(api: A, handlers: Handlers<A>) => void

/** Calls that anybody may make, by method and path, for the pages that the server renders. */
export type VisitorCalls = ReadonlyMap<string, VisitorCall>
/** Makes a call as a visitor at this address, with messages in this language. Throws faults of the server. */
type VisitorCall = (raw: unknown, address: string, language: Language) => Promise<{ status: number; text: string }>

/** Makes the function with which each feature mounts its routes, and collects the calls that anybody may make. */
export function makeImplement(
  app: FastifyInstance,
  deps: Deps,
  gate: Gate,
): { implement: Implement; visitorCalls: VisitorCalls } {
  const visitorCalls = new Map<string, VisitorCall>()
  const implement: Implement = (api, handlers) => {
    for (const [name, endpoint] of Object.entries(api)) {
      // Each handler fits its own endpoint by the type of `handlers`; a loop over both can only know them as the general one.
      const handle = handlers[name] as unknown as (call: unknown) => Promise<Answer<Endpoint>>
      const write = makeJsonWriter(endpoint.payload)
      // Only what is read goes to several callers.
      const writePayload = endpoint.method === 'GET' ? writeOnce(write) : write
      const route = { endpoint, handle, writePayload }
      addRoute(app, deps, gate, route)
      const { who } = endpoint.access
      if (who === 'visitor' || who === 'holder')
        visitorCalls.set(`${endpoint.method} ${endpoint.path}`, visitorCall(deps, gate, route))
    }
  }
  return { implement, visitorCalls }
}

interface Route {
  endpoint: Endpoint
  handle: (call: unknown) => Promise<Answer<Endpoint>>
  writePayload: WriteJson
}

function visitorCall(deps: Deps, gate: Gate, route: Route): VisitorCall {
  return async (raw, address, language) => {
    const closed = () => new AbortController().signal
    const from = {
      ...{ caller: null, address, userAgent: '', upload: null, proof: null, closed },
      ...{ language: () => language, askedLanguage: () => language },
    }
    try {
      const { payload } = await new Deadline(deps.db, false).within(() => work(gate, route, from, raw))
      return { status: 200, text: `{"payload":${route.writePayload(payload)}}` }
    } catch (error) {
      const refusal = toRefusal(error)
      // A page that cannot be read is rendered by the browser; a submitted form is answered in any case.
      if (refusal.status >= 500 && route.endpoint.method === 'GET') throw error
      if (refusal.code === 'INTERNAL') deps.log.error(describeError(error), 'form failed')
      return { status: refusal.status, text: JSON.stringify(inLanguage(language, () => failureOf(refusal))) }
    }
  }
}

/** Where a call comes from, and what came with its input. */
interface From {
  caller: Caller | null
  address: string
  userAgent: string
  upload: Buffer | null
  proof: string | null
  closed: () => AbortSignal
  language: () => Language
  askedLanguage: () => Language | null
}

/**
 * Checks access, parses the input, and runs the handler. A transaction that PostgreSQL ended because of another one left nothing behind: the
 * call is retried.
 */
async function work(gate: Gate, { endpoint, handle }: Route, from: From, raw: unknown): Promise<Answer<Endpoint>> {
  const proof = await gate.proveObject(endpoint.access, from.caller, raw)
  const input = readInput(endpoint, raw, from.language)
  const held = await gate.proveHolder(endpoint.access, from, input)
  const { caller, address, userAgent, upload, closed, language, askedLanguage } = from
  // What was proved comes last: an object that begins with another one's fields is made anew, field by field, for each call.
  const call = {
    ...{ caller, input, upload, address, userAgent, proof: from.proof, closed, language, askedLanguage },
    ...proof,
    ...held,
  }
  for (let tries = 1; ; tries++) {
    try {
      return await handle(call)
    } catch (error) {
      if (tries === TRIES || !isCollision(error)) throw error
    }
  }
}

function addRoute(app: FastifyInstance, deps: Deps, gate: Gate, route: Route): void {
  const { endpoint } = route
  const { access } = endpoint
  const takesLong = endpoint.slow !== undefined || endpoint.file !== undefined || endpoint.upload !== undefined
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.largeBody && { bodyLimit: LARGE_BODY }),
    // HEAD asks about an answer and must never change anything.
    exposeHeadRoute: endpoint.method === 'GET' && endpoint.changes === undefined && endpoint.asksOutside === undefined,
    // Authorization is checked before the body is read.
    onRequest: async (request) => {
      request.deadline = new Deadline(deps.db, takesLong)
      const { authorization } = request.headers
      request.caller =
        authorization === undefined ? null : await request.deadline.within(() => gate.findCaller(authorization))
      gate.checkRole(access, request.caller)
      if (endpoint.changes) refuseAutomatic(request)
    },
    handler: async (request, reply) => {
      const { input: raw, upload } = await rawInput(endpoint, request)
      const proofOfWork = request.headers[PROOF_HEADER]
      const from = {
        caller: request.caller,
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        upload,
        proof: typeof proofOfWork === 'string' ? proofOfWork : null,
        closed: () => closedSignal(reply),
        language: () => languageOf(request.headers['accept-language']),
        askedLanguage: () => askedLanguageOf(request.headers['accept-language']),
      }
      const answer = await request.deadline.within(() =>
        actingWith(request.caller?.apiToken?.name ?? null, () => work(gate, route, from, raw)),
      )
      return send(route, request, reply, answer)
    },
  })
}

/** Serializes an answer that goes to several callers only once; see `batchedLookup`. */
function writeOnce(write: WriteJson): WriteJson {
  const written = new WeakMap<object, string>()
  return (payload) => {
    if (typeof payload !== 'object' || payload === null) return write(payload)
    const text = written.get(payload) ?? write(payload)
    written.set(payload, text)
    return text
  }
}

/** A body that fits its schema as it is needs no tolerance; most do. */
function readInput(endpoint: Endpoint, raw: unknown, language: () => Language) {
  return parse(endpoint.input, raw, {
    prepare: (value) => tolerate(endpoint, value),
    isFineAsItIs: endpoint.method === 'POST',
    language,
  })
}

async function rawInput(
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<{ input: unknown; upload: Form['upload'] }> {
  if (endpoint.method === 'GET') return { input: request.query, upload: null }
  if (request.isMultipart()) return readForm(endpoint, request)
  const body = request.body === undefined ? {} : request.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('NOT_READABLE')
  return { input: body, upload: null }
}

/** A GET that changes something must be intended: no prefetch, and not from a page of another site. */
function refuseAutomatic({ headers }: FastifyRequest): void {
  const isPrefetch = [headers['sec-purpose'], headers.purpose].some((purpose) => purpose?.includes('prefetch'))
  if (isPrefetch || headers['sec-fetch-site'] === 'cross-site') throw new Refusal('NOT_ALLOWED')
}

function send(
  { endpoint, writePayload }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, msg, token, file }: Answer<Endpoint>,
): FastifyReply | Promise<string | Buffer> {
  if (token) reply.header('authorization', token)
  reply.header('cache-control', 'no-store')
  if (endpoint.file && file)
    return reply
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .type(endpoint.file)
      .send(file.content)
  reply.type('application/json; charset=utf-8')
  // Only what the contract names is written, so no column leaks by accident.
  const sentence = msg && inLanguage(languageOf(request.headers['accept-language']), msg)
  const text = `{"payload":${writePayload(payload)}${sentence ? `,"msg":${JSON.stringify(sentence)}` : ''}}`
  return endpoint.uncompressed ? reply.send(text) : compressed(request, reply, text)
}

/** Aborted when the caller's connection closes. */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
