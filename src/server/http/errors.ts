import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal, type RefusalCode } from '../../contract/errors.ts'

/** Turns whatever was thrown into the contract's failure shape. Only a Refusal's own words reach the client. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : new Refusal(codeFor(error))
    if (refusal.status >= 500)
      request.log.error({ err: describe(error), route: request.routeOptions.url }, 'request failed')
    return answerRefusal(reply, refusal)
  })
}

/** The contract's failure shape. */
export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfter !== null) reply.header('retry-after', String(refusal.retryAfter))
  const { code, message: msg, fields, payload } = refusal
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send({ msg, code, ...(fields.length > 0 && { errors: fields }), ...(payload !== undefined && { payload }) })
}

const byFastifyCode: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'WRONG_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
}

/** What PostgreSQL, the pool and the socket say while the database is away or has no connection to give. */
const databaseAway =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|57P01|57P02|57P03|53300|08\d{3}|40001|40P01|55P03|57014)$/

function codeFor(error: unknown): RefusalCode {
  const { code, statusCode, message } = describe(error)
  const known = byFastifyCode[code]
  if (known) return known
  if (statusCode !== null && statusCode < 500) return statusCode === 413 ? 'TOO_LARGE' : 'NOT_READABLE'
  return isDatabaseAway(code, message) ? 'UNAVAILABLE' : 'INTERNAL'
}

/** Whether an error says that the database cannot be reached just now. */
export function isDatabaseAway(code: string, message: string): boolean {
  return databaseAway.test(code) || /connection terminated|timeout exceeded when trying to connect/i.test(message)
}

/** An error's safe parts: a database error's detail can hold a row's personal data, so it is left out. */
export function describe(error: unknown) {
  const isObject = typeof error === 'object' && error !== null
  const code = isObject && 'code' in error ? String(error.code) : ''
  const statusCode = isObject && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
  const message = error instanceof Error ? error.message : String(error)
  return { code, statusCode, message, stack: error instanceof Error ? error.stack : undefined }
}
