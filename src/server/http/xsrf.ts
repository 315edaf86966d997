import { randomBytes } from 'node:crypto'
import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'

const COOKIE = 'XSRF-TOKEN'

/** A POST that carries our cookie must say its value in `X-XSRF-TOKEN` too, which a foreign site cannot read. */
export function guardXsrf(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const expected = request.method === 'POST' ? request.cookies[COOKIE] : undefined
    const isForged = expected !== undefined && request.headers['x-xsrf-token'] !== expected
    done(isForged ? new Refusal('XSRF') : undefined)
  })
}

/** Sets the cookie with a page, unless the browser has one. It is no secret of ours, so script may read it. */
export function setXsrfCookie(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  if (request.cookies[COOKIE]) return
  reply.setCookie(COOKIE, randomBytes(24).toString('base64url'), { path: '/', sameSite: 'lax', secure: isHttps })
}
