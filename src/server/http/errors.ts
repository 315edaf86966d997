import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatFields, Refusal, type RefusalCode } from '../../contract/errors.ts'
import { inLanguage } from '../../texts/language.ts'
import { violatedForeignKey } from '../db/violations.ts'
import { describeError, isUnavailable } from '../describe-error.ts'
import { fieldInWords } from './field-words.ts'
import { languageOf } from './request-language.ts'

/** Turns whatever was thrown into the contract's failure shape. Only a Refusal's own words reach the client. */
export function answerErrors(app: FastifyInstance): void {
  const outage = quietly()
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    const route = request.routeOptions.url
    const { code, message, stack } = describeError(error)
    if (refusal.code === 'INTERNAL') request.log.error({ err: { code, message, stack }, route }, 'request failed')
    // One line now and then: a log that fills the disk would be the next fault.
    else if (refusal.status >= 500 && !(error instanceof Refusal))
      outage(`${code} ${message}`, (others) =>
        request.log.error({ err: { code, message }, route, others }, 'unavailable'),
      )
    return answerRefusal(request, reply, refusal)
  })
}

const QUIET_MS = 10_000

/** Lets a message through once in ten seconds, with how many of its kind were suppressed before. */
export function quietly() {
  const last = { key: '', at: Number.NEGATIVE_INFINITY, others: 0 }
  return (key: string, write: (others: number) => void) => {
    const now = performance.now()
    if (key === last.key && now - last.at < QUIET_MS) return void last.others++
    write(last.others)
    Object.assign(last, { key, at: now, others: 0 })
  }
}

const RETRY_AFTER_S = 2

/** Sends the contract's failure shape, never to be cached. */
export function answerRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const isPassing = refusal.status === 503 || refusal.status === 429
  const retryAfter = refusal.retryAfter ?? (isPassing ? RETRY_AFTER_S : null)
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter))
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(inLanguage(languageOf(request.headers['accept-language']), () => failureOf(refusal)))
}

/** A refusal in the contract's failure shape, in the current language. */
export function failureOf(refusal: Refusal) {
  const { code, fields, payload } = refusal
  const errors = formatFields(fields)
  const msg = inWords(refusal)
  return { msg, code, ...(errors.length > 0 && { errors }), ...(payload !== undefined && { payload }) }
}

/** The message for a person, who may see nothing else: for wrong fields, the first one. */
function inWords({ code, message, isSpecific, fields: [first] }: Refusal): string {
  return code === 'INVALID_INPUT' && !isSpecific && first ? fieldInWords(first) : message
}

const byFastifyCode: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'WRONG_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
}

/** Turns any error into the refusal that the client gets. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode, message } = describeError(error)
  const known = byFastifyCode[code]
  if (known) return new Refusal(known)
  if (statusCode !== null && statusCode < 500) return new Refusal(statusCode === 413 ? 'TOO_LARGE' : 'NOT_READABLE')
  const foreignKey = violatedForeignKey(error)
  // Removed meanwhile: the object, or the caller's account.
  if (foreignKey !== null) return new Refusal(foreignKey.endsWith('_user_id_fkey') ? 'SIGN_IN_NEEDED' : 'NOT_FOUND')
  return new Refusal(isUnavailable(code, message) ? 'UNAVAILABLE' : 'INTERNAL')
}
