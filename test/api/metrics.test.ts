import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

const TOKEN = 'a long token of the operator'
let open: TestApp
let closed: TestApp
let untrusting: TestApp
beforeAll(async () => {
  closed = await startApp()
  open = await startApp({ databaseUrl: closed.databaseUrl, settings: { metricsToken: TOKEN } })
  untrusting = await startApp({ databaseUrl: closed.databaseUrl, settings: { trustProxy: false } })
})
afterAll(async () => {
  await untrusting.stop()
  await open.stop()
  await closed.stop()
})

const visitor = { 'x-forwarded-for': '203.0.113.5' }
const statusOf = async (app: TestApp, headers: Record<string, string> = {}, method = 'GET') =>
  (await fetch(`${app.url}/metrics`, { headers, method })).status

test('metrics are served to this machine itself', async () => {
  for (const app of [closed, open, untrusting]) expect(await statusOf(app)).toBe(200)
})

test('requests through a proxy on this machine get 404, whether or not the proxy is trusted', async () => {
  const disguised = [
    visitor,
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '::1' },
  ]
  for (const app of [closed, open, untrusting])
    for (const headers of disguised) expect(await statusOf(app, headers)).toBe(404)
  expect(await statusOf(closed, visitor, 'HEAD')).toBe(404)
})

test('they can be read from anywhere with the token, and by nobody else if no token is set', async () => {
  const bearer = (token: string) => ({ ...visitor, authorization: `Bearer ${token}` })
  expect(await statusOf(open, bearer(TOKEN))).toBe(200)
  for (const wrong of [bearer('another'), bearer(''), { ...visitor, authorization: TOKEN }])
    expect(await statusOf(open, wrong)).toBe(404)
  expect(await statusOf(closed, bearer(TOKEN))).toBe(404)
  expect(await statusOf(closed, bearer('null'))).toBe(404)
})
