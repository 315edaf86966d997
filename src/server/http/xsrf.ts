import { randomBytes } from 'node:crypto'
import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'

const COOKIE = 'XSRF-TOKEN'

/**
 * A call that carries our cookie must repeat its value in `X-XSRF-TOKEN`, which a foreign site cannot read. A form that is sent without
 * script cannot: there the browser states the origin, and an older browser sends the cookie from our own pages only.
 */
export function guardXsrf(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'POST') return done()
    const cookie = request.cookies[COOKIE]
    const isForged = request.url.startsWith('/api/')
      ? cookie !== undefined && request.headers['x-xsrf-token'] !== cookie
      : (request.headers['sec-fetch-site'] ?? (cookie ? 'same-origin' : 'none')) !== 'same-origin'
    done(isForged ? new Refusal('XSRF') : undefined)
  })
}

/** The value of the cookie, which identifies a browser; empty for none. */
export function xsrfCookie(request: FastifyRequest): string {
  return request.cookies[COOKIE] ?? ''
}

/** Sets the cookie with a page, unless the browser has one. It is no secret of ours, so script may read it. */
export function setXsrfCookie(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  if (request.cookies[COOKIE]) return
  reply.setCookie(COOKIE, randomBytes(24).toString('base64url'), { path: '/', sameSite: 'lax', secure: isHttps })
}
