import { afterEach, beforeAll, expect, test, vi } from 'vitest'

const SITE = 'https://club.example'
const TICKET = `${SITE}/api/registration/getRegistration?registrationId=1&qrUuid=secret`

type Answer = (request: Request) => Promise<Response>
let tell: (message: string) => Promise<unknown> = async () => {}
let answer: Answer = () => Promise.reject(new Error('The worker does not listen.'))

beforeAll(async () => {
  const listeners = new Map<string, (event: unknown) => void>()
  vi.stubGlobal('self', {
    location: { origin: SITE },
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
  })
  await import('./service-worker.ts')
  tell = (data) =>
    new Promise((resolve) => {
      const waitUntil = (work: Promise<unknown>) => void work.then(resolve)
      listeners.get('message')?.({ data, waitUntil })
    })
  answer = (request) =>
    new Promise((resolve, reject) => {
      const respondWith = (response: Promise<Response>) => void response.then(resolve, reject)
      listeners.get('fetch')?.({ request, respondWith, waitUntil: () => {} })
    })
})
afterEach(() => vi.useRealTimers())

/** The device's storage by cache and address; without contents it fails. */
function keep(stored?: Record<string, string>): void {
  const broken = () => Promise.reject(new DOMException('No space is left.', 'QuotaExceededError'))
  const match = async (asked: Request | string, { cacheName }: { cacheName: string }) => {
    const text = stored?.[`${cacheName} ${typeof asked === 'string' ? asked : asked.url}`]
    return text === undefined ? undefined : new Response(text, { headers: { date: 'Sat, 01 Jun 2030 10:00:00 GMT' } })
  }
  const cache = { put: broken, delete: broken, match: async () => undefined, keys: async () => [] }
  vi.stubGlobal('caches', stored ? { match, open: async () => cache } : { match: broken, open: broken })
}

function serve(...answers: [text: string, status: number][]): void {
  vi.stubGlobal('fetch', async () => {
    const [text, status] = answers.shift() ?? ['', 404]
    return new Response(text, { status })
  })
}

/** A navigation, which only a browser can make. */
const opening = (path: string) => Object.defineProperty(new Request(`${SITE}${path}`), 'mode', { value: 'navigate' })

test('with storage that fails everything comes from the network', async () => {
  keep()
  serve(['page', 200], ['part', 200], ['gone', 404], ['ticket', 200])
  expect(await (await answer(opening('/qr/1/secret'))).text()).toBe('page')
  expect(await (await answer(new Request(`${SITE}/assets/a.js`))).text()).toBe('part')
  expect((await answer(new Request(`${SITE}/assets/b.js`))).status).toBe(404)
  expect(await (await answer(new Request(TICKET))).text()).toBe('ticket')
})

test('a device that is full shows the new answer, not the stored one', async () => {
  keep({ [`turnout-tickets ${TICKET}`]: 'old' })
  serve(['new', 200])
  const shown = await answer(new Request(TICKET))
  expect(await shown.text()).toBe('new')
  expect(shown.headers.has('x-last-seen')).toBe(false)
})

test('a ticket that staff opened is shown only while signed in', async () => {
  keep({ [`turnout-tickets-staff ${TICKET}`]: 'old' })
  serve(['', 503], ['', 503])
  expect((await answer(new Request(TICKET))).status).toBe(503)
  const shown = await answer(new Request(TICKET, { headers: { authorization: 'Bearer one' } }))
  expect([await shown.text(), shown.headers.get('x-last-seen')]).toEqual(['old', 'Sat, 01 Jun 2030 10:00:00 GMT'])
})

test('what staff opened is deleted when they sign out, also what a call of before is about to store', async () => {
  const done: string[] = []
  vi.stubGlobal('caches', {
    match: async () => undefined,
    open: async (name: string) => ({ put: async () => void done.push(`put into ${name}`) }),
    delete: async (name: string) => void done.push(`deleted ${name}`),
  })
  const asked: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => asked.push(resolve)))
  const shown = answer(new Request(TICKET, { headers: { authorization: 'Bearer one' } }))
  const told = tell('signed out')
  await vi.waitUntil(() => asked.length === 1)
  asked[0]?.(new Response('{}'))
  await Promise.all([shown, told])
  expect(done).toEqual(['put into turnout-tickets-staff', 'deleted turnout-tickets-staff'])
})

test('a stored ticket is shown instead of an answer that is not our server’s', async () => {
  keep({ [`turnout-tickets ${TICKET}`]: 'old' })
  serve(['<h1>Blocked</h1>', 403], ['{"code":"NOT_FOUND"}', 404])
  expect(await (await answer(new Request(TICKET))).text()).toBe('old')
  expect((await answer(new Request(TICKET))).status).toBe(404)
})

test('a stored ticket that was given to somebody else, or is gone, is deleted', async () => {
  for (const code of ['TICKET_HANDED_ON', 'NOT_FOUND']) {
    const deleted: string[] = []
    vi.stubGlobal('caches', {
      match: async () => new Response('old'),
      open: async (name: string) => ({ delete: async () => void deleted.push(name) }),
    })
    serve([JSON.stringify({ code }), 409])
    expect((await answer(new Request(TICKET))).status).toBe(409)
    await vi.waitUntil(() => deleted.length === 2)
    expect(deleted).toEqual(['turnout-tickets', 'turnout-tickets-staff'])
  }
})

test('a stored ticket is shown when no answer comes in time, in browsers without AbortSignal.timeout too', async () => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    throw new TypeError('AbortSignal.timeout is not a function')
  })
  keep({ [`turnout-tickets ${TICKET}`]: 'old' })
  serve(['new', 200])
  expect(await (await answer(new Request(TICKET))).text()).toBe('new')
  const never = (_: Request, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  vi.stubGlobal('fetch', never)
  const shown = answer(new Request(TICKET))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await (await shown).text()).toBe('old')
})
