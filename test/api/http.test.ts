import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('HEAD of the health addresses says what GET says', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await fetch(app.url + path, { method: 'HEAD' })).headers.get('content-type')).not.toContain('text/html')
})

test('the version tag stands in the health answer and in the reference', async () => {
  expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'ok', version: '1' })
  expect(await (await fetch(`${app.url}/api/openapi.json`)).json()).toMatchObject({ info: { version: '1' } })
})

test('an address that cannot be read, or is far too long, is not found in our own words', async () => {
  for (const path of ['/api/user/%zz', `/api/user/${'x'.repeat(300)}`, '/api/nothing']) {
    const response = await fetch(app.url + path)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
  }
})

test('each request has an id that no other has', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await fetch(`${app.url}/healthz`)).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})
