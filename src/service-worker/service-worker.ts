export {}

declare const self: ServiceWorkerGlobalScope

/** What pages put here to be opened without network: see web/offline/keep-offline.ts. */
const FILES = 'turnout-files'
const SHELL = '/offline-shell'
/** Tickets as their holders last saw them. */
const TICKETS = 'turnout-tickets'
/** A page that has not come by then, in ms, counts as not to be had: one bar of network is worse than none. */
const PAGE_MS = 4_000

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate' && opensOffline(url.pathname)) event.respondWith(pageOrShell(request))
  else if (url.pathname.startsWith('/assets/') || url.pathname === '/favicon.svg') event.respondWith(fileFrom(request))
  // Only for its holder: what staff open with their token stays on no device.
  else if (
    url.pathname === '/api/registration/getRegistration' &&
    url.searchParams.has('qrUuid') &&
    !request.headers.has('authorization')
  )
    event.respondWith(ticketOrLastSeen(request))
})

/** Tickets, the door, and the installed app's way to it. */
function opensOffline(path: string): boolean {
  return (
    /^\/qr\/\d+\/[^/]+\/?$/.test(path) || /^\/event\/\d+\/scanner\/[^/]+\/?$/.test(path) || /^\/door\/?$/.test(path)
  )
}

async function pageOrShell(request: Request): Promise<Response> {
  const shell = await caches.match(SHELL, { cacheName: FILES })
  if (!shell) return fetch(request)
  try {
    const page = await fetch(request, { signal: AbortSignal.timeout(PAGE_MS) })
    return page.status >= 500 ? shell : page
  } catch {
    return shell
  }
}

/** Their names change with their content, so one that is here is right. */
async function fileFrom(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: FILES, ignoreVary: true })) ?? fetch(request)
}

async function ticketOrLastSeen(request: Request): Promise<Response> {
  const tickets = await caches.open(TICKETS)
  const isKept = (await tickets.match(request.url, { ignoreVary: true })) !== undefined
  try {
    const answer = await fetch(request.clone(), isKept ? { signal: AbortSignal.timeout(PAGE_MS) } : {})
    if (answer.ok) await tickets.put(request.url, answer.clone())
    else if (answer.status === 404) await tickets.delete(request.url)
    if (answer.status < 500) return answer
    return (await lastSeen(tickets, request)) ?? answer
  } catch (error) {
    const seen = await lastSeen(tickets, request)
    if (seen) return seen
    throw error
  }
}

/** The ticket as it was, marked so that its page can say so. */
async function lastSeen(tickets: Cache, request: Request): Promise<Response | undefined> {
  const seen = await tickets.match(request.url, { ignoreVary: true })
  if (!seen) return undefined
  const headers = new Headers(seen.headers)
  headers.set('x-last-seen', seen.headers.get('date') ?? '')
  return new Response(seen.body, { status: seen.status, headers })
}
