import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Refusal } from '../../contract/errors.ts'
import { addBackupMetrics } from '../backup/nightly/metrics.ts'
import type { Deps } from '../deps.ts'
import { addMailMetrics } from '../mail/metrics.ts'
import { metricsOfAll } from '../processes/metrics-of-all.ts'

/** `/metrics` in Prometheus' text format: requests by route and status, the mail queue, and the process itself. */
export function answerMetrics(app: FastifyInstance, deps: Deps): void {
  const register = new Registry()
  // At its usual precision the loop's monitor alone wakes an idle server a hundred times a second.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 200 })
  const requests = new Histogram({
    name: 'turnout_http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3],
    registers: [register],
  })
  addMailMetrics(register, deps)
  addBackupMetrics(register, deps)
  const read = metricsOfAll(register)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { exposeHeadRoute: true }, async (request, reply) => {
    // The figures are the operator's. For everybody else there is no such page.
    if (!isLoopback(request) && !hasToken(request, deps.settings.metricsToken)) throw new Refusal('NOT_FOUND')
    const figures = await read()
    if (figures === null) throw new Refusal('UNAVAILABLE')
    return reply.type(register.contentType).send(figures)
  })
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether it comes from this machine itself: not through a proxy on it, whether or not that proxy is trusted. */
function isLoopback(request: FastifyRequest): boolean {
  const addresses = [request.raw.socket.remoteAddress ?? '', request.ip]
  return (
    addresses.every((address) => /^(::ffff:)?127\.|^::1$/.test(address)) &&
    forwardingHeaders.every((name) => request.headers[name] === undefined)
  )
}

/** Whether it carries the token as `Authorization: Bearer …`, compared in constant time. */
function hasToken(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === null || given === undefined) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
