import { type Books, type Cause, newId, type Wire } from './books.ts'
import { Fault, missing } from './fault.ts'
import { allowOnly, type Form, readForm } from './form.ts'
import { chargeObject, paymentIntentObject, refundObject, sessionObject } from './objects.ts'
import { openSession } from './open-session.ts'
import { findCharge, findPayment, listRefunds, makeRefund } from './refunds.ts'
import { expireSession, findSession } from './sessions.ts'

export interface ApiRequest {
  method: string
  path: string
  query: string
  body: string
  authorization: string | undefined
  idempotencyKey: string | null
}

export interface ApiAnswer {
  status: number
  body: string
  headers: Record<string, string>
}

interface KeptAnswer {
  endpoint: string
  parameters: string
  madeAt: number
  answer: ApiAnswer
}

/** Stripe forgets a key after a day; a request repeated later is carried out again. */
const keptFor = 24 * 60 * 60 * 1000

type Route = [method: string, path: RegExp, run: (books: Books, id: string, form: Form, cause: Cause) => Wire]

const routes: Route[] = [
  ['POST', /^\/v1\/checkout\/sessions$/, (books, _id, form) => sessionObject(openSession(books, form), books.url)],
  ['GET', /^\/v1\/checkout\/sessions\/([^/]+)$/, (books, id) => sessionObject(findSession(books, id), books.url)],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/,
    (books, id, _form, cause) => {
      const session = findSession(books, id)
      void expireSession(books, session, cause)
      return sessionObject(session, books.url)
    },
  ],
  ['GET', /^\/v1\/payment_intents\/([^/]+)$/, (books, id) => paymentIntentObject(findPayment(books, id))],
  ['GET', /^\/v1\/charges\/([^/]+)$/, (books, id) => chargeObject(findCharge(books, id))],
  ['POST', /^\/v1\/refunds$/, (books, _id, form, cause) => refundObject(makeRefund(books, form, cause))],
  ['GET', /^\/v1\/refunds$/, (books, _id, form) => listRefunds(books, form)],
  [
    'GET',
    /^\/v1\/refunds\/([^/]+)$/,
    (books, id) => {
      const refund = books.refunds.get(id)
      if (!refund) throw missing('refund', id)
      return refundObject(refund)
    },
  ],
]

/** Answers the API's requests. Each answer is computed synchronously, so requests do not interleave. */
export function createApi(books: Books, secretKey: string): (request: ApiRequest) => ApiAnswer {
  const kept = new Map<string, KeptAnswer>()

  function answerTo(request: ApiRequest): ApiAnswer {
    checkKey(request.authorization, secretKey)
    if (request.method !== 'POST' || request.idempotencyKey === null) return done(books, request)
    const key = request.idempotencyKey
    const endpoint = request.path
    const parameters = sorted(request.body)
    const madeAt = books.now().getTime()
    const before = kept.get(key)
    if (before && madeAt - before.madeAt < keptFor) {
      if (before.endpoint !== endpoint || before.parameters !== parameters) throw otherParameters(key)
      return { ...before.answer, headers: { ...before.answer.headers, 'idempotent-replayed': 'true' } }
    }
    const answer = doneOrRefused(books, request)
    kept.set(key, { endpoint, parameters, madeAt, answer })
    return answer
  }

  return (request) => {
    try {
      return answerTo(request)
    } catch (fault) {
      return refused(fault)
    }
  }
}

function done(books: Books, request: ApiRequest): ApiAnswer {
  const cause = { id: newId('req_', 7), idempotencyKey: request.idempotencyKey }
  const form = readForm(request.method === 'POST' ? request.body : request.query)
  for (const [method, path, run] of routes) {
    const match = method === request.method ? path.exec(request.path) : null
    if (!match) continue
    if (match[1] !== undefined) allowOnly(form, [])
    return json(200, run(books, match[1] ?? '', form, cause), cause.id)
  }
  throw new Fault(`Unrecognized request URL (${request.method}: ${request.path}).`, { status: 404 })
}

/** Refusals are stored under the key too, but not those for a wrong parameter: for Stripe, such a request never began. */
function doneOrRefused(books: Books, request: ApiRequest): ApiAnswer {
  try {
    return done(books, request)
  } catch (fault) {
    if (fault instanceof Fault && fault.body.error.param === undefined) return refused(fault)
    throw fault
  }
}

function refused(fault: unknown): ApiAnswer {
  if (fault instanceof Fault) return json(fault.status, fault.body)
  throw fault
}

function json(status: number, body: Wire, requestId = newId('req_', 7)): ApiAnswer {
  const headers = { 'content-type': 'application/json', 'request-id': requestId }
  return { status, body: JSON.stringify(body, null, 2), headers }
}

function checkKey(authorization: string | undefined, secretKey: string): void {
  if (authorization === `Bearer ${secretKey}`) return
  const message = authorization ? 'Invalid API Key provided.' : 'You did not provide an API key.'
  throw new Fault(message, { status: 401 })
}

function sorted(body: string): string {
  const fields = new URLSearchParams(body)
  fields.sort()
  return fields.toString()
}

function otherParameters(key: string): Fault {
  return new Fault(
    `Keys for idempotent requests can only be used with the same parameters and endpoint they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}
