import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { type PagePath, pageAt } from '../../../contract/page-paths.ts'
import type { PageRenderer, Site } from '../../../contract/page-renderer.ts'
import { publicPageAt } from '../../../contract/public-pages.ts'
import * as texts from '../../../texts/generated/heads.ts'
import { languages } from '../../../texts/generated/languages.ts'
import { inLanguage, type Language } from '../../../texts/language.ts'
import { describeError } from '../../describe-error.ts'
import { escapeHtml } from '../../escape-html.ts'
import { compressed, sendPacked } from '../compressed.ts'
import { answerRefusal, failureOf, quietly, toRefusal } from '../errors.ts'
import type { VisitorCalls } from '../implement.ts'
import { setXsrfCookie, xsrfCookie } from '../xsrf.ts'
import { answerChoice } from './language-choice.ts'
import {
  buildLanguage,
  everyLanguage,
  keepLinkLanguage,
  linkLanguage,
  type PageLanguages,
  pageLanguage,
} from './page-language.ts'
import { makePublicPages, type PageHeadOf, type PageText } from './public-pages.ts'
import { isBuilt, readShells } from './shells.ts'

/** How long rendering waits for a page's data, in ms; the browser then renders it itself, and reports what is missing. */
const RENDER_MS = 2_000
/** How long a page that the browser renders waits for its link preview, in ms. */
const HEAD_MS = 300
const LARGEST_FORM = 128 * 1024
/** The pages with forms that work without script. */
const withForms: readonly PagePath[] = [
  '/',
  '/club/:clubId/event/:eventId',
  '/club/:clubId/event/:eventId/success',
  '/order/:id/:secret',
]
const [source] = languages
const YEAR = 365 * 24 * 60 * 60
/** The service worker only passes on what pages request, and only from here. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"
/** The worker that decodes QR codes fetches its WebAssembly and runs it. */
const DECODER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

interface Options {
  site: Site
  /** The origin of Stripe's own page, to which a form sent without script may lead; null without card payment. */
  checkoutOrigin: string | null
  /** The HTML for link previews in the head of the page at this path; null when there is no such page. */
  headFor: (path: string, as: PageHeadOf) => Promise<string | null>
  /** The languages of the page at this path. */
  languagesOf: (path: string) => Promise<PageLanguages>
  /** Renders the public pages; null where they are not built, and the browser does it. */
  /** The path of the page at a link that another server made, from which the club has moved here. */
  movedTo: (path: string) => Promise<string | null>
  renderer: PageRenderer | null
  calls: VisitorCalls
  now: () => Date
  /** Counts a form that a visitor sends without script; refuses when there are too many. */
  countForm: (visitor: string) => Promise<void>
}

/** The built web app: its files, and for every other page address the one page that holds it. */
export async function serveWeb(app: FastifyInstance, webDir: string | null, options: Options): Promise<void> {
  if (webDir === null || !isBuilt(webDir)) return answerOnlyApi(app)
  const { site, checkoutOrigin, headFor, languagesOf, movedTo, renderer, calls, now, countForm } = options
  const isHttps = site.baseUrl.startsWith('https:')
  const shellsOf = readShells(webDir, site)
  const shell = (language: Language) => shellsOf(language).public
  const pages = renderer && makePublicPages({ renderer, shell, site, calls, now, headFor, countForm })
  /** The language of the page that is asked for. */
  const askedLanguage = async (request: FastifyRequest) =>
    buildLanguage(request) ??
    pageLanguage(request, await within(HEAD_MS, languagesOf(pathOf(request)), everyLanguage).catch(() => everyLanguage))
  await app.register(fastifyStatic, {
    root: webDir,
    // A route for each of a thousand files would slow down the start, and add a name each to the metrics.
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
          : path.endsWith('/service-worker.js')
            ? 'no-cache'
            : 'public, max-age=3600',
      )
    },
  })
  const files = listFiles(webDir)
  /** A page that the browser renders. */
  const answerShell = async (request: FastifyRequest, reply: FastifyReply, isPublic: boolean, language: Language) => {
    // The page works without it, so an unavailable database does not delay it.
    const head = await within(
      HEAD_MS,
      headFor(pathOf(request), { language, isNamed: linkLanguage(request) === language }),
      '',
    ).catch(() => '')
    const nonce = randomBytes(16).toString('base64')
    const { staff, public: visitors } = shellsOf(language)
    const text = (isPublic ? visitors : staff).replace(' __RENDERED__', '').replaceAll('__CSP_NONCE__', nonce)
    return reply
      .code(head === null ? 404 : 200)
      .header('content-security-policy', contentSecurityPolicy({ nonce, site, checkoutOrigin }))
      .send(text.replace('<!--head-->', () => head ?? ''))
  }
  const answerRendered = (request: FastifyRequest, reply: FastifyReply, page: PageText) => {
    reply
      .code(page.status)
      .header('content-security-policy', contentSecurityPolicy({ site, checkoutOrigin }))
      .header('server-timing', `now;desc="${now().toISOString()}"`)
    return sendPacked(request, reply, page)
  }
  const failure = quietly()
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    if (!isPage || request.url.startsWith('/assets/')) return answerRefusal(request, reply, new Refusal('NOT_FOUND'))
    startPage(request, reply, isHttps)
    const path = pathOf(request)
    const isPublic = pages !== null && (publicPageAt(path) !== null || pageAt(path) === null)
    const language = await askedLanguage(request)
    if (!isPublic) return answerShell(request, reply, false, language)
    const page = await within(RENDER_MS, pages.pageAt(request.url, askerOf(request, language)), null).catch(
      (error: unknown) => {
        const { code, message, stack } = describeError(error)
        // One line now and then while the database is away.
        failure(`${code} ${message}`, (others) =>
          request.log.error({ err: { code, message, stack }, others }, 'rendering failed'),
        )
        return null
      },
    )
    // A missing page is answered as such when the database does not say where it is.
    const moved = page?.status === 404 ? await within(HEAD_MS, movedTo(path), null).catch(() => null) : null
    if (moved !== null)
      return reply
        .code(302)
        .header('location', site.baseUrl + moved + queryOf(request))
        .send()
    return page ? answerRendered(request, reply, page) : answerShell(request, reply, true, language)
  }
  if (pages)
    await app.register(async (forms) => {
      forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      )
      // These errors are shown to a person.
      forms.setErrorHandler(async (error, request, reply) => {
        const language = await askedLanguage(request)
        const refusal = toRefusal(error)
        if (refusal.status >= 500) failure(refusal.code, () => request.log.error(describeError(error), 'form failed'))
        startPage(request, reply, isHttps)
        return reply
          .code(refusal.status)
          .header('content-security-policy', contentSecurityPolicy({ site, checkoutOrigin }))
          .send(inLanguage(language, () => sorry(shell(language), failureOf(refusal).msg)))
      })
      // The forms that need script: sent before it runs, they redirect to their page, and their fields are not read.
      for (const path of [
        '/signin',
        '/register',
        '/forgot-password',
        '/reset-password',
        '/confirm-address',
        '/invitation',
      ])
        forms.post(path, { bodyLimit: LARGEST_FORM }, (request, reply) =>
          reply.code(303).header('location', request.url).send(),
        )
      answerChoice(forms, isHttps)
      // Asking for lost tickets, registering, and paying for a registration or an order that waits.
      for (const path of withForms)
        forms.post(path, { bodyLimit: LARGEST_FORM }, async (request, reply) => {
          startPage(request, reply, isHttps)
          if (typeof request.body !== 'string') throw new Refusal('WRONG_MEDIA_TYPE')
          const language = await askedLanguage(request)
          const from = { ...askerOf(request, language), browser: xsrfCookie(request) }
          const after = await pages.submit(request.url, request.body, from)
          if ('goTo' in after) return reply.code(303).header('location', after.goTo).send()
          return after.page ? answerRendered(request, reply, after.page) : answerShell(request, reply, true, language)
        })
    })
  // Named by the page that stores them: it knows its own language, and which one was chosen since.
  app.get('/offline-files.json', { exposeHeadRoute: true }, async (request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(await compressed(request, reply, shellsOf(await askedLanguage(request)).offlineFiles)),
  )
  app.get('/manifest.webmanifest', { exposeHeadRoute: true }, async (request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(shellsOf(buildLanguage(request) ?? source).manifest),
  )
  app.get<{ Params: { '*': string } }>('/*', { exposeHeadRoute: true }, async (request, reply) => {
    const path = request.params['*']
    return files.has(path) ? reply.sendFile(path) : answerPage(request, reply)
  })
  app.setNotFoundHandler(answerPage)
}

/** The paths of the files with an address of their own. Hidden ones have none, and compressed files are sent in place of the originals. */
function listFiles(webDir: string): ReadonlySet<string> {
  const found = readdirSync(webDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map(({ parentPath, name }) => relative(webDir, join(parentPath, name)).replaceAll('\\', '/'))
  return new Set(paths.filter((path) => !path.startsWith('.') && !/\.(br|gz)$/.test(path)))
}

/** Sets the cookie and the headers of every page. */
function startPage(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  setXsrfCookie(request, reply, isHttps)
  keepLinkLanguage(request, reply, isHttps)
  if (publicPageAt(pathOf(request)) === 'secret') reply.header('x-robots-tag', 'noindex')
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
}

/** Who asks for a public page, and in which language. */
function askerOf(request: FastifyRequest, language: Language) {
  return { visitor: request.ip, language, isNamed: linkLanguage(request) === language }
}

function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/, '')
}

/** The query of the address with its question mark; empty for none. */
function queryOf({ url }: FastifyRequest): string {
  return /\?.*$/.exec(url)?.[0] ?? ''
}

/** Waits for `work`, but only for `ms`. */
async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise).unref()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    // Each timer that is left keeps what it waited for.
    clearTimeout(timer)
  }
}

/** A page that says why a form was not taken. */
function sorry(shell: string, msg: string): string {
  const words = escapeHtml(texts.goBack({ problem: msg }))
  return shell
    .replace('__RENDERED__', 'data-rendered="whole"')
    .replace('<!--head-->', `<title data-server>${escapeHtml(texts.didNotWork())} | Turnout</title>`)
    .replace(
      '<!--page-->',
      () =>
        `<main id="main"><div class="page narrow"><h1>${escapeHtml(texts.didNotWork())}</h1><p role="alert">${words}</p></div></main>`,
    )
    .replace('<!--data-->', '')
}

function answerOnlyApi(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => answerRefusal(request, reply, new Refusal('NOT_FOUND')))
}

interface Policy extends Pick<Options, 'site' | 'checkoutOrigin'> {
  /** For the styles that Mantine writes; public pages write none. */
  nonce?: string
}

/** No inline script, nothing from other hosts but, where it is used, Stripe's card form. WebAssembly is the QR decoder. */
function contentSecurityPolicy({ nonce, site, checkoutOrigin }: Policy): string {
  const hasCardForm = site.stripeKey !== null
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval'${hasCardForm ? ' https://js.stripe.com' : ''}`,
    ...(hasCardForm ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    `connect-src 'self'${hasCardForm ? ' https://api.stripe.com' : ''}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self'${checkoutOrigin === null ? '' : ` ${checkoutOrigin}`}`,
    "frame-ancestors 'none'",
  ].join('; ')
}
