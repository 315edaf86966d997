import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeFixture } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('a forgotten password gets a link that works once, for 30 minutes, and ends every session', async () => {
  const { admin, token } = await makeFixture(app)
  await app.call(authApi.forgotPassword, { email: admin.email.toUpperCase() })
  await app.finishMails()
  const link = () => /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  expect(app.sent.at(-1)).toMatchObject({ to: admin.email, subject: 'Your new password' })
  const first = link()
  const stored = await app.deps.db.selectFrom('passwordResets').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(first)

  const reset = (linkToken: string, password = 'battery staple 2') =>
    app.call(authApi.resetPassword, { token: linkToken, password })
  await refusalOf(reset('A'.repeat(43)), 'LINK_EXPIRED')
  expect(await countOutcomes([reset(first), reset(first)])).toEqual({ ok: 1, LINK_EXPIRED: 1 })
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  expect((await app.raw(authApi.signin, { email: admin.email, password: 'battery staple 2' })).status).toBe(200)

  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  const late = link()
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 60_000)
  await refusalOf(reset(late), 'LINK_EXPIRED')
})

test('a link for a password ends with the e-mail address or password it was for', async () => {
  const { sudo, admin, club } = await makeFixture(app)
  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  const token = /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  const { id, fullName } = admin
  await app.call(
    appUserApi.save,
    { payload: { id, fullName, email: 'moved@example.org', clubId: club.id } },
    sudo.token,
  )
  await refusalOf(app.call(authApi.resetPassword, { token, password: 'battery staple 2' }), 'LINK_EXPIRED')
})

test('attempts at links, and at one’s own current password, are limited', async () => {
  const { admin, club, token } = await makeFixture(app)
  const link = () => app.raw(authApi.resetPassword, { token: 'x', password: 'battery staple 2' })
  const answers = await Promise.all(Array.from({ length: 40 }, async () => (await link()).status))
  expect(answers.filter((status) => status === 429)).toHaveLength(10)
  const { id, fullName, email } = admin
  const payload = { id, fullName, email, clubId: club.id, password: 'battery staple 2', currentPassword: 'wrong 1' }
  const own = await Promise.all(
    Array.from(
      { length: 25 },
      async () => (await app.raw(appUserApi.save, { payload }, { authorization: token })).status,
    ),
  )
  expect(own.filter((status) => status === 429)).toHaveLength(5)
})

test('two links for a password are valid at a time, and using one ends the other', async () => {
  const { admin } = await makeFixture(app)
  const links: string[] = []
  for (let n = 0; n < 3; n++) {
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await app.call(authApi.forgotPassword, { email: admin.email })
    await app.finishMails()
    links.push(/\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? '')
  }
  const reset = (token: string | undefined, password: string) =>
    app.call(authApi.resetPassword, { token: token ?? '', password })
  await refusalOf(reset(links[0], 'battery staple 2'), 'LINK_EXPIRED')
  const both = await countOutcomes([reset(links[1], 'battery staple 2'), reset(links[2], 'battery staple 3')])
  expect(both).toEqual({ ok: 1, LINK_EXPIRED: 1 })
})

test('a link that the operator passed on ends none of those mailed', async () => {
  const { admin, sudo } = await makeFixture(app)
  await app.call(appUserApi.makePasswordLink, { payload: { id: admin.id } }, sudo.token)
  const mailed: string[] = []
  for (let n = 0; n < 2; n++) {
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await app.call(authApi.forgotPassword, { email: admin.email })
    await app.finishMails()
    mailed.push(/\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? '')
  }
  await app.call(authApi.resetPassword, { token: mailed[0] ?? '', password: 'battery staple 2' })
})

test('strangers who ask for links again and again neither flood the mailbox nor keep the owner from a link that works', async () => {
  const { admin } = await makeFixture(app)
  let stranger = 0
  const ask = (address: string) =>
    app.raw(authApi.forgotPassword, { email: admin.email }, { 'x-forwarded-for': address })
  const MINUTE = 60_000
  const start = app.clock.now.getTime()
  let lastLink = 0
  // For two hours somebody asks every minute, each time from another address.
  for (let minute = 0; minute < 120; minute++) {
    app.clock.now = new Date(start + minute * MINUTE)
    const before = app.sent.length
    expect((await ask(`198.51.100.${++stranger}`)).status).toBe(200)
    await app.finishMails()
    if (app.sent.length > before) lastLink = minute
    // A link works for 30 minutes, so a new one must come before that.
    expect(minute - lastLink).toBeLessThanOrEqual(25)
  }
  expect(app.sent.length).toBeLessThan(14)
  expect((await ask('203.0.113.5')).status).toBe(200)
  const token = /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  await app.call(authApi.resetPassword, { token, password: 'battery staple 2' })
})

test('simultaneous requests from many places send three links', async () => {
  const { admin } = await makeFixture(app)
  const asks = Array.from({ length: 8 }, (_, n) =>
    app.raw(authApi.forgotPassword, { email: admin.email }, { 'x-forwarded-for': `198.51.100.${n}` }),
  )
  for (const { status } of await Promise.all(asks)) expect(status).toBe(200)
  await app.finishMails()
  expect(app.sent).toHaveLength(3)
})

test('asking for a link says the same whether or not the address is known, and not too often', async () => {
  const { admin } = await makeFixture(app)
  const ask = (email: string) => app.raw(authApi.forgotPassword, { email })
  const known = await ask(admin.email)
  const unknown = await ask('nobody@example.org')
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()])
  await ask(admin.email)
  await ask(admin.email)
  expect((await ask(admin.email)).status).toBe(429)
  await app.finishMails()
  expect(app.sent).toHaveLength(3)
})
