import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { Refusal } from '../contract/errors.ts'
import type { PageRenderer } from '../contract/page-renderer.ts'
import { makeGate } from './access/gate.ts'
import { apiTokenRoutes } from './api-tokens/routes.ts'
import { attendeeRoutes } from './attendees/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { boardRoutes } from './board/routes.ts'
import { checkinRoutes } from './checkins/routes.ts'
import { makeDecide } from './checkins/scan.ts'
import { clubFileRoutes } from './club-files/routes.ts'
import { clubMemberRoutes } from './club-members/routes.ts'
import { clubRoutes } from './clubs/routes.ts'
import { codeRoutes } from './codes/routes.ts'
import { coverRoutes } from './covers/routes.ts'
import type { Deps } from './deps.ts'
import { doorRoutes } from './door/routes.ts'
import { movedPage } from './events/moved-page.ts'
import { pageHead } from './events/page-head.ts'
import { pageLanguages } from './events/page-languages.ts'
import { eventRoutes, feedRoutes } from './events/routes.ts'
import { extrasRoutes } from './extras/routes.ts'
import { formRoutes } from './forms/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { answerApiDocs } from './http/docs/api-docs.ts'
import { answerErrors, answerRefusal } from './http/errors.ts'
import { warnOfUntrustedProxy } from './http/forwarded.ts'
import { answerHealth, type BackgroundWork } from './http/health.ts'
import { makeImplement } from './http/implement.ts'
import { acceptForms } from './http/input/multipart.ts'
import { answerMetrics } from './http/metrics.ts'
import { serveWeb } from './http/pages/web-files.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { guardXsrf } from './http/xsrf.ts'
import { imageRoutes } from './images/routes.ts'
import { byNetwork, limitTries } from './limits/limit-tries.ts'
import { orderRoutes } from './orders/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { passRoutes } from './passes/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { paymentRoutes, stripeWebhook } from './payments/routes.ts'
import { personalDataRoutes } from './personal-data/routes.ts'
import { platformRoutes } from './platform/routes.ts'
import { redemptionRoutes } from './redemptions/routes.ts'
import { registrationRoutes } from './registrations/routes.ts'
import { securityRoutes } from './security/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { textRoutes } from './texts/routes.ts'
import { ticketTypeRoutes } from './ticket-types/routes.ts'
import { translationRoutes } from './translations/routes.ts'
import { userRoutes } from './users/routes.ts'
import { walkInRoutes } from './walk-ins/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const MEGABYTE = 1024 * 1024

interface Options {
  /** Folder of the built web app; without it only the API answers. */
  webDir: string | null
  /** Renders the public pages; without it the browser does. */
  renderer?: PageRenderer | null
  /** Whether the start is done and no stop has begun, so that `/readyz` says so. */
  isServing: () => boolean
  /** The background work that `/readyz` watches. */
  work?: BackgroundWork
}

/** The whole server over HTTP, ready to listen. */
export async function buildApp(
  deps: Deps,
  { webDir, renderer = null, isServing, work = () => ({}) }: Options,
): Promise<FastifyInstance> {
  const trusted = deps.settings.trustProxy
  const isHttps = deps.settings.baseUrl.startsWith('https:')
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted,
    bodyLimit: MEGABYTE,
    // A photo from a phone may take its time; headers alone may not (60 s, Node's default).
    requestTimeout: 120_000,
    exposeHeadRoutes: false,
    // Sequential ids would be the same in every process.
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    // A malformed address is answered as not found, in our own format.
    frameworkErrors: (_error, request, reply) => void answerRefusal(request, reply, new Refusal('NOT_FOUND')),
  })
  // Fastify reads plain text too by default; every call of ours speaks JSON.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.decorateRequest('deadline')
  await app.register(fastifyCookie)
  await acceptForms(app)
  sendSecurityHeaders(app, { isHttps })
  answerErrors(app)
  logRequests(app)
  noteActivity(app, deps)
  guardXsrf(app)
  warnOfUntrustedProxy(app, deps)
  answerHealth(app, deps, { isServing, work })
  answerMetrics(app, deps)
  answerApiDocs(app, deps)

  const { implement, visitorCalls } = makeImplement(app, deps, makeGate(deps))
  authRoutes(implement, deps)
  securityRoutes(implement, deps)
  passkeyRoutes(implement, deps)
  apiTokenRoutes(implement, deps)
  userRoutes(implement, deps)
  teamRoutes(implement, deps)
  passRoutes(implement, deps)
  clubRoutes(implement, deps)
  eventRoutes(implement, deps)
  extrasRoutes(implement, deps)
  orderRoutes(implement, deps)
  ticketTypeRoutes(implement, deps)
  codeRoutes(implement, deps)
  clubMemberRoutes(implement, deps)
  clubFileRoutes(implement, deps)
  formRoutes(implement, deps)
  registrationRoutes(implement, deps)
  attendeeRoutes(implement, deps)
  paymentRoutes(implement, deps)
  stripeWebhook(app, deps)
  redemptionRoutes(implement, deps)
  // Shared by both routes, so that all scans of an event go through one batch at a time.
  const decide = makeDecide(deps)
  checkinRoutes(implement, deps, decide)
  doorRoutes(implement, deps, decide)
  boardRoutes(implement, deps)
  walkInRoutes(implement, deps)
  statisticsRoutes(implement, deps)
  pageRoutes(implement, deps)
  textRoutes(implement)
  translationRoutes(implement, deps)
  historyRoutes(implement, deps)
  personalDataRoutes(implement, deps)
  webhookRoutes(implement, deps)
  platformRoutes(implement, deps, work)
  imageRoutes(app, deps)
  coverRoutes(app)
  feedRoutes(app, deps)

  await serveWeb(app, webDir, {
    site: { baseUrl: deps.settings.baseUrl, stripeKey: deps.stripe?.publishableKey ?? null },
    checkoutOrigin: deps.stripe?.checkoutOrigin ?? null,
    headFor: (path, as) => pageHead(deps, path, as),
    languagesOf: (path) => pageLanguages(deps, path),
    movedTo: (path) => movedPage(deps, path),
    renderer,
    calls: visitorCalls,
    now: deps.now,
    countForm: (visitor) => limitTries(deps, byNetwork('forms by network', visitor)),
  })
  return app
}

/** Any API call or submitted form may have made background work. */
function noteActivity(app: FastifyInstance, { activity }: Deps): void {
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.method === 'POST' || request.url.startsWith('/api/')) activity.note()
    done()
  })
}

/** One line per request, with the route's pattern and never the address itself, which can contain a ticket's secret. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'page',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    done()
  })
}
