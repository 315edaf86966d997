import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('HEAD on the health addresses answers as GET does', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await fetch(app.url + path, { method: 'HEAD' })).headers.get('content-type')).not.toContain('text/html')
})

test('the version tag is in the health answer and in the API reference', async () => {
  expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'ok', version: '1' })
  expect(await (await fetch(`${app.url}/api/openapi.json`)).json()).toMatchObject({ info: { version: '1' } })
})

test('the OpenAPI document says who may make a call, and with which codes it is refused', async () => {
  const { paths, components } = await (await fetch(`${app.url}/api/openapi.json`)).json()
  const { get } = paths['/api/event/removeEvent']
  expect(get).toMatchObject({
    operationId: 'events.removeEvent',
    tags: ['events'],
    security: [{ token: [] }, { apiToken: [] }],
  })
  expect(get.description).toBe('An admin of the club. Needs the permission `events`.')
  expect(Object.keys(get.responses)).toEqual(['200', '401', '403', '404', '409', '422', '429', '500', '503'])
  expect(get.responses['409']).toEqual({ $ref: '#/components/responses/HAS_PAID' })
  const hasPaid = components.responses.HAS_PAID
  expect(hasPaid.content['application/json'].schema.allOf[1].properties.code).toEqual({ enum: ['HAS_PAID'] })
  expect(paths['/api/user/signin'].post.security).toEqual([])
  expect(paths['/api/registration/getRegistration'].get.security).toEqual([{}, { token: [] }, { apiToken: [] }])
})

test('a large answer is compressed for clients that accept it; one with a ticket’s secret never is', async () => {
  const { event, token } = await makeFixture(app, { description: 'Dancing. '.repeat(400) })
  const registrations = await Promise.all(Array.from({ length: 5 }, () => makeRegistration(app, event)))
  const encodingOf = async (path: string, accepted: string) => {
    const headers = { authorization: token, 'accept-encoding': accepted }
    const answer = await fetch(app.url + path, { headers })
    expect(await answer.json()).toHaveProperty('payload')
    return answer.headers.get('content-encoding')
  }
  const list = `/api/registration/getAttendees?eventId=${event.id}`
  expect(await encodingOf(list, 'gzip, br')).toBe('br')
  expect(await encodingOf(list, 'gzip')).toBe('gzip')
  expect(await encodingOf(list, 'identity')).toBeNull()
  expect(await encodingOf(`/api/event/getEvent?eventId=${event.id}`, 'br')).toBe('br')
  expect(await encodingOf(`/api/event/getExtras?eventId=${event.id}`, 'br')).toBeNull()
  const [ticket] = registrations
  const path = `/api/registration/getRegistration?registrationId=${ticket?.id}&qrUuid=${ticket?.qrUuid}`
  expect(await encodingOf(path, 'gzip, br')).toBeNull()
})

test('an unreadable or far too long address answers our own 404', async () => {
  for (const path of ['/api/user/%zz', `/api/user/${'x'.repeat(300)}`, '/api/nothing']) {
    const response = await fetch(app.url + path)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
  }
})

test('each request has a unique id', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await fetch(`${app.url}/healthz`)).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('every answer has the security headers, including refusals and unknown addresses', async () => {
  for (const path of ['/healthz', '/api/event/getAllEvents', '/api/nothing', '/nothing'])
    expect(Object.fromEntries((await fetch(app.url + path)).headers)).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=15552000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
})

test('an encoding with q=0 is not used', async () => {
  const { event, token } = await makeFixture(app)
  for (let n = 0; n < 12; n++) await makeRegistration(app, event)
  const encodingFor = async (accepted: string) => {
    const query = new URLSearchParams({ eventId: String(event.id), searchKeyword: '', sortBy: 'name', limit: '50' })
    const headers = { authorization: token, 'accept-encoding': accepted }
    return (await fetch(`${app.url}/api/registration/getAttendees?${query}`, { headers })).headers.get(
      'content-encoding',
    )
  }
  expect(await encodingFor('gzip, br')).toBe('br')
  expect(await encodingFor('gzip, br;q=0')).toBe('gzip')
  expect(await encodingFor('gzip;q=0.0, br; q=0')).toBe(null)
})

test('HEAD never calls Stripe', async () => {
  expect((await fetch(`${app.url}/api/stripe/sessionStatus?sessionId=cs_test_x`, { method: 'HEAD' })).status).toBe(404)
})
