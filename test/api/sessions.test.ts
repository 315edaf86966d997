import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { makeFixture, PASSWORD, tokenFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const DAY = 24 * 60 * 60_000
let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const PIXEL =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

test('everybody sees where they are signed in, and signs out there', async () => {
  const { admin, token, sudo } = await makeFixture(app)
  const signIn = (userAgent: string) =>
    app.raw(authApi.signin, { email: admin.email, password: PASSWORD }, { 'user-agent': userAgent })
  const phone = (await signIn(PIXEL)).headers.get('authorization') ?? ''
  const other = (await signIn('')).headers.get('authorization') ?? ''
  const own = await app.call(authApi.getSessions, {}, token)
  expect(own).toHaveLength(3)
  expect(own.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, false, true])
  const onPhone = own.find(({ system }) => system === 'Android')
  expect(onPhone).toMatchObject({ browser: 'Chrome', isCurrent: false, createdAt: app.clock.now })
  expect(onPhone?.address).not.toBe('')
  // No secret of a session leaves the server.
  expect(JSON.stringify(own)).not.toContain(phone)
  expect(Object.keys(own[0] ?? {})).not.toContain('tokenHash')

  // Nobody ends the sessions of others.
  const end = (id: number, by: string) => app.call(authApi.endSession, { payload: { id } }, by)
  await refusalOf(end(onPhone?.id ?? 0, sudo.token), 'NOT_FOUND')
  await end(onPhone?.id ?? 0, token)
  await refusalOf(app.call(authApi.getCurrentUser, {}, phone), 'SIGN_IN_NEEDED')
  await refusalOf(end(onPhone?.id ?? 0, token), 'NOT_FOUND')
  await app.call(authApi.getCurrentUser, {}, other)

  await app.call(authApi.endOtherSessions, {}, token)
  await refusalOf(app.call(authApi.getCurrentUser, {}, other), 'SIGN_IN_NEEDED')
  expect(await app.call(authApi.getSessions, {}, token)).toMatchObject([{ isCurrent: true }])
  await app.call(authApi.getCurrentUser, {}, sudo.token)
})

test('a session that has ended by itself is not among them', async () => {
  const { admin, token } = await makeFixture(app)
  app.clock.now = new Date(app.clock.now.getTime() + 29 * DAY)
  await app.call(authApi.getCurrentUser, {}, token)
  const second = await tokenFor(app, admin.id)
  app.clock.now = new Date(app.clock.now.getTime() + 29 * DAY)
  await app.call(authApi.getCurrentUser, {}, second)
  const third = await tokenFor(app, admin.id)
  app.clock.now = new Date(app.clock.now.getTime() + 2 * DAY)
  expect(await app.call(authApi.getSessions, {}, third)).toHaveLength(2)
})
