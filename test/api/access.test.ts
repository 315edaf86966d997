import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/all-calls.ts'
import type { Access, Endpoint } from '../../src/contract/endpoint.ts'
import { makeClub, makeEvent, makeRegistration, makeWorld } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let world: Awaited<ReturnType<typeof makeWorld>>
let other: Awaited<ReturnType<typeof makeClub>>

beforeAll(async () => {
  app = await startApp()
  world = await makeWorld(app)
  other = await makeClub(app, world.sudo.token)
  await makeRegistration(app, world.event)
})
afterAll(() => app.stop())

/** The least input that names the object the access rule is about; the rest is missing, so a right caller gets 422 or 200. */
function inputFor(access: Access, write: (id: number) => unknown): Record<string, unknown> {
  if ('club' in access) return nested(access.club, write(world.club.id))
  return 'event' in access ? nested(access.event, write(world.event.id)) : {}
}

function nested(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown> // At least one key wraps it.
}

async function status(
  endpoint: (typeof endpoints)[number],
  authorization: string | null,
  write: (id: number) => unknown = (id) => id,
): Promise<number> {
  const headers = authorization === null ? {} : { authorization }
  const response = await app.raw(endpoint, inputFor(endpoint.access, write), headers)
  expect(response.status).toBeLessThan(500)
  return response.status
}

async function headStatus({ path, access }: (typeof endpoints)[number], authorization: string): Promise<number> {
  const query = new URLSearchParams(Object.entries(inputFor(access, String)).map(([key, id]) => [key, String(id)]))
  return (await fetch(`${app.url}${path}?${query}`, { method: 'HEAD', headers: { authorization } })).status
}

/** HEAD never changes anything. */
const hasHead = ({ changes, asksOutside }: Endpoint) => !changes && !asksOutside

const served = [200, 404, 422]

describe.each(endpoints.map((endpoint) => ({ path: endpoint.path, endpoint })))('$path', ({ endpoint }) => {
  const { access } = endpoint
  const isPublic = access.who === 'visitor'

  test('nobody, and a forged token', async () => {
    for (const authorization of [null, 'Bearer nonsense', `Bearer ${'A'.repeat(43)}`]) {
      const got = await status(endpoint, authorization)
      if (isPublic) expect(served).toContain(got)
      else expect(got).toBe(401)
    }
  })

  test('an expired token', async () => {
    const now = app.clock.now
    app.clock.now = new Date(now.getTime() + 31 * 24 * 60 * 60_000)
    const got = await status(endpoint, `Bearer ${world.token}`)
    app.clock.now = now
    if (isPublic) expect(served).toContain(got)
    else expect(got).toBe(401)
  })

  test('an admin of the club', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, world.token)
    // The event may have gone by the call itself.
    if (endpoint.changes) world.event = await makeEvent(app, world.token)
    if (access.who === 'sudo') expect(got).toBe(403)
    else expect([200, 422]).toContain(got)
  })

  test('an admin of another club', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, `Bearer ${other.token}`)
    if (access.who === 'sudo') expect(got).toBe(403)
    else if ('club' in access || 'event' in access) expect(got).toBe(404)
    else expect(served).toContain(got)
    // Digits in text are the same id, and HEAD the same call.
    if ('club' in access || 'event' in access) expect(await status(endpoint, other.token, String)).toBe(got)
    if (endpoint.method === 'GET') expect(await headStatus(endpoint, other.token)).toBe(hasHead(endpoint) ? got : 404)
  })

  test('the operator', async () => {
    if (endpoint.path === '/api/user/signout') return
    const got = await status(endpoint, world.sudo.token)
    if (access.who === 'admin') expect(got).toBe(403)
    else expect(served).toContain(got)
  })
})

test('another club’s object is answered byte for byte as one that does not exist', async () => {
  const scan = { method: 'POST', path: '/api/checkin/scanByRegistrationId' } as const
  const body = (eventId: number) => ({ payload: { eventId, qrCodeData: 'x' } })
  const headers = { authorization: other.token }
  const foreign = await app.raw(scan, body(world.event.id), headers)
  const absent = await app.raw(scan, body(999_999), headers)
  expect([foreign.status, await foreign.text()]).toEqual([absent.status, await absent.text()])
})

test('who has no right is told so before anything is said of the body', async () => {
  const save = { method: 'POST', path: '/api/event/save' } as const
  expect((await app.raw(save, '{broken')).status).toBe(401)
  expect((await app.raw(save, '{broken', { authorization: world.sudo.token })).status).toBe(403)
  expect((await app.raw(save, '{broken', { authorization: world.token })).status).toBe(400)
})

test('a POST that carries the XSRF cookie must say its value', async () => {
  const signin = { method: 'POST', path: '/api/user/signin' } as const
  const cookie = 'XSRF-TOKEN=abc'
  expect((await app.raw(signin, {}, { cookie })).status).toBe(403)
  expect((await app.raw(signin, {}, { cookie, 'x-xsrf-token': 'abc' })).status).toBe(422)
})

test('the reference is drawn from the table', async () => {
  const document = await (await fetch(`${app.url}/api/openapi.json`)).json()
  expect(Object.keys(document.paths)).toEqual(endpoints.map(({ path }) => path))
  const page = await (await fetch(`${app.url}/api/docs`)).text()
  for (const { path } of endpoints) expect(page).toContain(path)
})

test('health, readiness and figures are answered', async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('turnout_http_request_duration_seconds')
})
