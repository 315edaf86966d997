export {}

declare const self: ServiceWorkerGlobalScope

/** The files that pages store to open without network: see web/offline/keep-offline.ts. */
const FILES = 'turnout-files'
const SHELL = '/offline-shell'
/** Cache entries that list the files of each stored part. */
const LISTS = ['/offline-kept-ticket', '/offline-kept-door']
const FLAGS = '/offline-kept-flags'
/** Tickets as their holders last saw them. */
const TICKETS = 'turnout-tickets'
/** Tickets that were opened while signed in; they are deleted at the end of the session. */
const TICKETS_OF_STAFF = 'turnout-tickets-staff'
/** How long the server's answer is waited for where there is a stored one, in ms: a weak network is worse than none. */
const ANSWER_MS = 4_000

self.addEventListener('install', (event) => {
  void self.skipWaiting()
  // Writes never pass through here, so that one which a closing page sends is not lost with the page. Older browsers cannot do this.
  if ('addRoutes' in event && typeof event.addRoutes === 'function')
    event.waitUntil(
      Promise.resolve(event.addRoutes({ condition: { requestMethod: 'POST' }, source: 'network' })).catch(nothing),
    )
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', (event) => {
  if (event.data === 'tidy') event.waitUntil(tidy())
  if (event.data === 'signed out') event.waitUntil(deleteStaffTickets())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate' && opensOffline(url.pathname)) event.respondWith(shellOrPage(request))
  else if (url.pathname.startsWith('/assets/') || url.pathname === '/favicon.svg')
    event.respondWith(fileFrom(request, url.pathname))
  // Only with the ticket's secret: what staff look up without it is never stored.
  else if (url.pathname === '/api/registration/getRegistration' && url.searchParams.has('qrUuid'))
    event.respondWith(underWay(ticketOrLastSeen(event)))
})

/** For storage that fails: then the network answers. */
const nothing = () => undefined

/** Whether a page opens without network: tickets, the scanners, and the address of the installed app. */
function opensOffline(path: string): boolean {
  return (
    /^\/qr\/\d+\/[^/]+\/?$/.test(path) || /^\/event\/\d+\/scanner\/[^/]+\/?$/.test(path) || /^\/door\/?$/.test(path)
  )
}

/**
 * The stored shell comes first, whatever the network: all its files are here, while those of a new page may not arrive. The page itself
 * fetches a newer version and replaces this shell once all of that is stored.
 */
async function shellOrPage(request: Request): Promise<Response> {
  return (await caches.match(SHELL, { cacheName: FILES }).catch(nothing)) ?? fetch(request)
}

/** File names change with their content, so a stored file is never outdated. */
async function fileFrom(request: Request, path: string): Promise<Response> {
  const kept = await caches.match(request, { cacheName: FILES, ignoreVary: true }).catch(nothing)
  if (kept) return kept
  const answer = await fetch(request)
  // Neither here nor on the server any more: the stored version is incomplete, and the next page has to come from the network.
  if (answer.status === 404) await dropShellOf(path).catch(nothing)
  return answer
}

async function dropShellOf(path: string): Promise<void> {
  const files = await caches.open(FILES)
  const lists = await Promise.all(LISTS.map((mark) => listIn(files, mark)))
  if (lists.flat().includes(path)) await files.delete(SHELL)
}

async function listIn(files: Cache, mark: string): Promise<string[]> {
  const list: unknown = await (await files.match(mark))?.json().catch(() => null)
  return Array.isArray(list) ? list.map(String) : []
}

/** Deletes the files of earlier versions, unless another page is open that may need them. */
async function tidy(): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (open.length > 1) return
  const files = await caches.open(FILES)
  const lists = await Promise.all([...LISTS, FLAGS].map((mark) => listIn(files, mark)))
  const used = new Set([...lists.flat(), ...LISTS, FLAGS, SHELL])
  const kept = await files.keys()
  await Promise.all(kept.filter(({ url }) => !used.has(new URL(url).pathname)).map((each) => files.delete(each)))
}

/** Work on tickets that may still store one. */
const pending = new Set<Promise<unknown>>()

function underWay<T>(work: Promise<T>): Promise<T> {
  pending.add(work)
  const end = () => void pending.delete(work)
  work.then(end, end)
  return work
}

/** Deletes what was opened while signed in, also what a call of that time was still about to store. */
async function deleteStaffTickets(): Promise<void> {
  while (pending.size > 0) await Promise.allSettled(pending)
  await caches.delete(TICKETS_OF_STAFF)
}

async function ticketOrLastSeen(event: FetchEvent): Promise<Response> {
  const { request } = event
  const seen = await lastSeen(request).catch(nothing)
  // With a timer of our own, since old browsers have no `AbortSignal.timeout`.
  const stop = new AbortController()
  const timer = seen && setTimeout(() => stop.abort(), ANSWER_MS)
  try {
    const answer = await fetch(request.clone(), seen ? { signal: stop.signal } : {})
    if (seen && !(await isOurAnswer(answer.clone()))) return seen
    event.waitUntil(underWay(remember(request, answer.clone()).catch(nothing)))
    return answer
  } catch (error) {
    if (seen) return seen
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Reads an answer to its end. Whether it is of our server, and neither a failure nor a proxy's. */
async function isOurAnswer(answer: Response): Promise<boolean> {
  const text = await answer.text()
  return answer.ok || (answer.status < 500 && codeIn(text) !== null)
}

/** The code of a refusal of our server. */
function codeIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null
  } catch {
    return null
  }
}

/** Whether a ticket is not there any more, for whoever has this link. */
const isGone = (code: string | null) => code === 'NOT_FOUND' || code === 'TICKET_HANDED_ON'

async function remember(request: Request, answer: Response): Promise<void> {
  const isOfHolder = (await caches.match(request.url, { cacheName: TICKETS, ignoreVary: true })) !== undefined
  const isOfStaff = request.headers.has('authorization') && !isOfHolder
  if (answer.ok) await (await caches.open(isOfStaff ? TICKETS_OF_STAFF : TICKETS)).put(request.url, answer)
  else if (isGone(codeIn(await answer.text())))
    for (const name of [TICKETS, TICKETS_OF_STAFF]) await (await caches.open(name)).delete(request.url)
}

/** The ticket as it was last seen, marked as such for its page; one that staff opened only while signed in. */
async function lastSeen({ url, headers: asked }: Request): Promise<Response | undefined> {
  const names = asked.has('authorization') ? [TICKETS, TICKETS_OF_STAFF] : [TICKETS]
  for (const cacheName of names) {
    const seen = await caches.match(url, { cacheName, ignoreVary: true })
    if (!seen) continue
    const headers = new Headers(seen.headers)
    headers.set('x-last-seen', seen.headers.get('date') ?? '')
    return new Response(seen.body, { status: seen.status, headers })
  }
  return undefined
}
