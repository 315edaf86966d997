import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { escapeHtml } from '../escape-html.ts'
import { answerRefusal } from './errors.ts'
import { setXsrfCookie } from './xsrf.ts'

/** How long a page waits for what link previews show, in ms. */
const HEAD_MS = 300
const YEAR = 365 * 24 * 60 * 60
/** It only passes on what pages ask for, and that from here. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"
/** The thread that looks for codes fetches its WebAssembly and runs it. */
const DECODER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

interface Site {
  baseUrl: string
  /** Stripe's key for its script in the page; null where visitors pay on Stripe's own page. */
  publishableKey: string | null
  /** What the page at this path has in its head for link previews, as HTML; null when there is no such page. */
  headFor: (path: string) => Promise<string | null>
}

/** The built web app: its files, and for every other page address the one page that holds it. */
export async function serveWeb(
  app: FastifyInstance,
  webDir: string | null,
  { baseUrl, publishableKey, headFor }: Site,
): Promise<void> {
  const isHttps = baseUrl.startsWith('https:')
  if (webDir === null || !existsSync(join(webDir, 'index.html'))) return answerOnlyApi(app)
  // A parsed address holds nothing that HTML would take for its own but `&`.
  const address = new URL(baseUrl).href.replace(/\/$/, '').replaceAll('&', '&amp;')
  const page = readFileSync(join(webDir, 'index.html'), 'utf8')
    .replace('__BASE_URL__', () => address)
    .replace('__STRIPE_KEY__', () => escapeHtml(publishableKey ?? ''))
    .replace('__VERSION__', PRODUCT_VERSION)
  await app.register(fastifyStatic, {
    root: webDir,
    // A route for each of a thousand files would make the start slow, and each a name of its own in the metrics.
    serve: false,
    preCompressed: true,
    // Otherwise the plugin sets its own header after ours. Vite names the files in assets/ by their content.
    cacheControl: false,
    setHeaders: (reply, path) => {
      if (path.includes('service-worker.js')) reply.setHeader('content-security-policy', WORKER_POLICY)
      if (path.includes('/decode-worker-')) reply.setHeader('content-security-policy', DECODER_POLICY)
      reply.setHeader(
        'cache-control',
        path.includes('/assets/')
          ? `public, max-age=${YEAR}, immutable`
          : /service-worker\.js|offline-files\.json/.test(path)
            ? 'no-cache'
            : 'public, max-age=3600',
      )
    },
  })
  const files = listFiles(webDir)
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    if (!isPage || request.url.startsWith('/assets/')) return answerRefusal(reply, new Refusal('NOT_FOUND'))
    setXsrfCookie(request, reply, isHttps)
    // The page works without it, so a database that is away does not keep it back; it then says itself what is not there.
    const head = await Promise.race([
      headFor(request.url.replace(/\?.*$/, '')).catch(() => ''),
      wait(HEAD_MS, '', { ref: false }),
    ])
    const nonce = randomBytes(16).toString('base64')
    if (request.url.startsWith('/qr/')) reply.header('x-robots-tag', 'noindex')
    return reply
      .code(head === null ? 404 : 200)
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, publishableKey !== null))
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', nonce).replace('<!--head-->', () => head ?? ''))
  }
  app.get<{ Params: { '*': string } }>('/*', { exposeHeadRoute: true }, async (request, reply) => {
    const path = request.params['*']
    return files.has(path) ? reply.sendFile(path) : answerPage(request, reply)
  })
  app.setNotFoundHandler(answerPage)
}

/** The files that have an address of their own, by their path. The one page has none, and the compressed ones go in place of the others. */
function listFiles(webDir: string): ReadonlySet<string> {
  const found = readdirSync(webDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map(({ parentPath, name }) => relative(webDir, join(parentPath, name)).replaceAll('\\', '/'))
  return new Set(
    paths.filter((path) => path !== 'index.html' && !path.startsWith('.vite/') && !/\.(br|gz)$/.test(path)),
  )
}

function answerOnlyApi(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => answerRefusal(reply, new Refusal('NOT_FOUND')))
}

/** No inline script, nothing from other hosts but, where it is used, Stripe's card form. WebAssembly is the QR decoder; the nonce is for the styles that Mantine writes. */
function contentSecurityPolicy(nonce: string, withStripe = false): string {
  const stripe = withStripe ? ' https://js.stripe.com' : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval'${stripe}`,
    ...(withStripe ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    `connect-src 'self'${withStripe ? ' https://api.stripe.com' : ''}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
