import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Refusal } from '../../../contract/errors.ts'
import { pageAt as findPage } from '../../../contract/page-paths.ts'
import type { Answered, AskApi, PageRenderer, Site, Submitted } from '../../../contract/page-renderer.ts'
import { publicPageAt } from '../../../contract/public-pages.ts'
import type { WireRequest } from '../../../contract/wire.ts'
import * as texts from '../../../texts/generated/heads.ts'
import { inLanguage, type Language } from '../../../texts/language.ts'
import { escapeHtml } from '../../escape-html.ts'
import { makeShareNext } from '../../share-next.ts'
import type { VisitorCalls } from '../implement.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A page older than this, in ms, is rendered again even if its data are the same: some of it depends on the time. */
const FRESH_MS = 1_000
/** How much rendered HTML is cached, in characters, and how much of it one page may be. */
const MOST_KEPT = 10_000_000
const LARGEST_KEPT = 200_000
/** The page for an address where there is nothing. */
const MISSING = '/not-found'
/** A form of 100 questions with 10 answers each has some 1,000. */
const MOST_FIELDS = 1_500
const isMissing = (path: string) => path.toLowerCase().startsWith(MISSING)

/** A page as it is sent, compressed once for everybody who asks for it. */
export interface PageText {
  status: number
  plain: string
  /** Null for a page with a secret, whose compressed length could tell something about it. */
  packed: { br: Buffer; gzip: Buffer } | null
}

/** A call's answer as text. */
interface Told {
  status: number
  text: string
}

interface Kept {
  /** The length of its HTML; 0 until it is rendered. */
  size: number
  requests: readonly WireRequest[]
  answers: readonly Told[]
  at: number
  page: Promise<PageText>
}

interface Making {
  renderer: PageRenderer
  /** The HTML around a page in this language. */
  shell: (language: Language) => string
  site: Site
  calls: VisitorCalls
  now: () => Date
  /** The HTML in the head of the page at this path. */
  headFor: (path: string, as: PageHeadOf) => Promise<string | null>
  /** Counts a form that a visitor sends; refuses when there are too many. */
  countForm: (visitor: string) => Promise<void>
}

/** The language of a page, and whether its address names it. */
export interface PageHeadOf {
  language: Language
  isNamed: boolean
}

/** Who asks for a page. */
interface Asker extends PageHeadOf {
  /** Their network address. */
  visitor: string
}

/** Renders the public pages. A page is rendered once for all who ask for it in the same language, as long as what it shows stays the same. */
export function makePublicPages(making: Making) {
  const kept = new Map<string, Kept>()
  const shared = makeShareNext<PageText | null>()

  /** The page at this address (path with query); null when the browser has to render it itself. */
  async function pageAt(address: string, asker: Asker): Promise<PageText | null> {
    const path = pathOf(address)
    const kind = publicPageAt(path)
    if (kind === null) return afterRefusal(404, asker)
    if (kind === 'secret' || kind === 'search') {
      const { status, answers } = await read(address, asker)
      if (!isShown(address, status)) return afterRefusal(status, asker)
      const plain = await compose({ address, answers, submitted: null, as: asker })
      return kind === 'search' ? pack(plain, status) : { status, plain, packed: null }
    }
    const key = `${asker.language} ${asker.isNamed} ${keyOf(path)}`
    // It is the same for everybody, and none of its calls is limited by network.
    return shared(key, () => look(key, path, asker))
  }

  /** The current page: from the cache if all that it shows is the same. */
  async function look(key: string, path: string, asker: Asker): Promise<PageText | null> {
    const before = kept.get(key)
    const now = performance.now()
    if (before && (now - before.at < FRESH_MS || before.requests.length === 0)) {
      const answers = await Promise.all(before.requests.map((request) => ask(request, asker)))
      if (isSame(answers, before.answers)) return before.page
    }
    const { status, requests, answers } = await read(path, asker)
    if (status !== 200) return afterRefusal(status, asker)
    return keep({ key, path, as: asker }, { requests, answers, at: now })
  }

  function keep(
    { key, path, as }: { key: string; path: string; as: PageHeadOf },
    { requests, answers, at }: Omit<Kept, 'page' | 'size'>,
  ): Promise<PageText> {
    const before = kept.get(key)
    // Somebody else has just had it rendered.
    if (before && before.at >= at - FRESH_MS && isSame(before.answers, answers)) return before.page
    const status = isMissing(path) ? 404 : 200
    const page = compose({ address: path, answers, submitted: null, as }).then((plain) => pack(plain, status))
    const entry = { requests, answers, at, page, size: 0 }
    kept.delete(key)
    kept.set(key, entry)
    const forget = () => kept.get(key) === entry && kept.delete(key)
    page.then(({ plain }) => {
      entry.size = plain.length
      if (entry.size > LARGEST_KEPT || (isMissing(path) && path !== MISSING)) forget()
      else dropOldest()
    }, forget)
    return page
  }

  function dropOldest(): void {
    let size = 0
    for (const each of kept.values()) size += each.size
    for (const [key, each] of kept) {
      if (size <= MOST_KEPT) return
      size -= each.size
      kept.delete(key)
    }
  }

  /** The not-found page after a 404; null when the page cannot be read now. */
  async function afterRefusal(status: number, asker: Asker): Promise<PageText | null> {
    if (status !== 404) return null
    return pageAt(MISSING, asker)
  }

  /** Carries out a form of the page at this address. Returns the address to go on to, or the page with the form again. */
  async function submit(address: string, body: string, from: Asker & { browser: string }) {
    const fields = [...new URLSearchParams(body)]
    if (fields.length > MOST_FIELDS) throw new Refusal('TOO_LARGE')
    await making.countForm(from.visitor)
    const idempotencyKey = uuidOf(address, body, from.browser)
    const after = await making.renderer.submit(
      { address, fields, idempotencyKey, now: making.now(), language: from.language },
      async (request) => toAnswered(await ask(request, from)),
    )
    if ('goTo' in after) return after
    // Only these pages depend on more than their path.
    const kind = publicPageAt(pathOf(address))
    const shown = kind === 'secret' || kind === 'search' ? address : pathOf(address)
    if (after.submitted === null) return { page: await pageAt(shown, from) }
    const { status, answers } = await read(shown, from)
    if (!isShown(shown, status)) return { page: await afterRefusal(status, from) }
    const plain = await compose({ address: shown, answers, submitted: after.submitted, as: from })
    return { page: { status: after.status, plain, packed: null } }
  }

  async function read(address: string, asker: Asker) {
    const requests: WireRequest[] = []
    const answers: Told[] = []
    const noting: AskApi = async (request) => {
      const at = requests.push(request) - 1
      const answer = await ask(request, asker)
      answers[at] = answer
      return toAnswered(answer)
    }
    const status = await making.renderer.read({ address, now: making.now() }, noting)
    return { status, requests, answers }
  }

  function ask({ method, url, body }: WireRequest, { visitor, language }: Asker): Promise<Told> {
    const path = pathOf(url)
    const call = making.calls.get(`${method} ${path}`)
    if (!call) throw new Error(`A visitor may not call ${path}.`)
    const raw: unknown =
      body === null ? Object.fromEntries(new URLSearchParams(url.slice(path.length))) : JSON.parse(body)
    return call(raw, visitor, language)
  }

  interface Composing {
    address: string
    answers: readonly Told[]
    submitted: Submitted | null
    as: PageHeadOf
  }

  async function compose({ address, answers, submitted, as }: Composing): Promise<string> {
    const { language } = as
    const stamp = randomUUID()
    const { renderer, shell, site, now, headFor } = making
    const path = pathOf(address)
    const kind = publicPageAt(path)
    const [{ html, title }, head] = await Promise.all([
      renderer.render({ address, answers: answers.map(toAnswered), now: now(), site, stamp, submitted, language }),
      // Nobody shares a page with a secret.
      kind === 'secret' ? null : headFor(path, as),
    ])
    const hasScript = kind === 'script' || kind === 'secret'
    // Within a script element, only `<` could end it.
    const data = `{"answers":[${answers.map(({ status, text }) => `{"status":${status},"body":${text}}`)}],"now":"${now().toISOString()}","stamp":"${stamp}","submitted":${JSON.stringify(submitted)}}`
    return (
      shell(language)
        .replace('__RENDERED__', `data-rendered="${isMissing(path) ? 'missing' : 'whole'}"`)
        // The head of a page that is shared has a title of its own.
        .replace(
          '<!--head-->',
          () =>
            head ||
            `<title data-server>${escapeHtml(title)}</title><meta name="description" content="${escapeHtml(inLanguage(language, texts.description))}">`,
        )
        .replace('<!--page-->', () => html)
        .replace('<!--data-->', () =>
          hasScript ? `<script type="application/json" id="page-data">${data.replaceAll('<', '\\u003c')}</script>` : '',
        )
    )
  }

  return { pageAt, submit }
}

function toAnswered({ status, text }: Told): Answered {
  return { status, body: JSON.parse(text) }
}

async function pack(plain: string, status: number): Promise<PageText> {
  const [br, zipped] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    zip(plain, { level: 6 }),
  ])
  return { status, plain, packed: { br, gzip: zipped } }
}

function isSame(one: readonly Told[], other: readonly Told[]): boolean {
  return one.length === other.length && one.every(({ text }, at) => text === other[at]?.text)
}

/** Whether a page is rendered after its data were read: that of a ticket says itself that there is none. */
function isShown(address: string, status: number): boolean {
  return status === 200 || (status === 404 && publicPageAt(pathOf(address)) === 'secret')
}

/** The same key for all spellings of a page's address. */
function keyOf(path: string): string {
  const page = findPage(path)
  return page ? JSON.stringify([page.path, page.params]) : path
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/, '')
}

/** The same form from the same rendering in the same browser is one registration, as a UUID's text. */
function uuidOf(address: string, body: string, browser: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([address, body, browser]))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
