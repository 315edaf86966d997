import { randomBytes } from 'node:crypto'
import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'

const COOKIE = 'XSRF-TOKEN'

/** A POST that carries our cookie must say its value in `X-XSRF-TOKEN` too, which a foreign site cannot read. */
export function guardXsrf(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const expected = request.cookies[COOKIE]
    if (request.method !== 'POST' || expected === undefined) return
    if (request.headers['x-xsrf-token'] !== expected) throw new Refusal('XSRF')
  })
}

/** Sets the cookie with a page, unless the browser has one. It is no secret of ours, so script may read it. */
export function setXsrfCookie(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  if (request.cookies[COOKIE]) return
  reply.setCookie(COOKIE, randomBytes(24).toString('base64url'), { path: '/', sameSite: 'lax', secure: isHttps })
}
