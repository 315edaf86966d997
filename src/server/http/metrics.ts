import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { countMails } from '../mail/queries.ts'

/** `/metrics` in Prometheus' text format: requests by route and status, mails by state, and the process itself. */
export function answerMetrics(app: FastifyInstance, { db }: Deps): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'turnout_http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3],
    registers: [register],
  })
  new Gauge({
    name: 'turnout_mails',
    help: 'Mails by state.',
    labelNames: ['status'],
    registers: [register],
    async collect() {
      for (const { status, count } of await countMails(db)) this.set({ status }, count)
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  )
}
