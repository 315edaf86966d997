import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { formatFields } from '../../src/contract/errors.ts'
import { permissionsOf } from '../../src/contract/permissions.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeClub, makeFixture, makeSudo, PASSWORD } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

/** Signs in over HTTP as if from this address, and returns the response. */
function signIn(email: string, password: string, address = '203.0.113.1', at = app): Promise<Response> {
  return at.raw(authApi.signin, { email, password }, { 'x-forwarded-for': address })
}

test('signing in returns the user and a token that works, with and without Bearer', async () => {
  const { admin, club } = await makeFixture(app)
  const response = await signIn(admin.email.toUpperCase(), PASSWORD)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    payload: {
      currentUser: {
        id: admin.id,
        role: 'admin',
        fullName: admin.fullName,
        email: admin.email,
        image: '',
        clubId: club.id,
        clubName: club.name,
        language: null,
        teamRole: 'owner',
        permissions: [...permissionsOf('owner')],
        eventIds: null,
        isPass: false,
        mustSetUp: false,
      },
    },
  })
  const token = response.headers.get('authorization') ?? ''
  for (const authorization of [token, `Bearer ${token}`])
    expect((await app.raw(appUserApi.getAppUsers, { clubId: club.id }, { authorization })).status).toBe(200)
})

test('an unknown address and a wrong password get the same answer, after the same work', async () => {
  const { admin } = await makeFixture(app)
  const wrong = await signIn(admin.email, 'wrong horse 1')
  const unknown = await signIn('nobody@example.org', 'wrong horse 1')
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(await wrong.text()).toBe(await unknown.text())

  // Both take one argon2id hash, which is nearly all of the work. In CPU time, which does not grow on a busy machine.
  const work = async (email: string, address: string) => {
    const before = process.cpuUsage()
    await signIn(email, 'wrong horse 1', address)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  for (let n = 0; n < 5; n++) {
    least.known = Math.min(least.known, await work(admin.email, `203.0.113.${n}`))
    least.unknown = Math.min(least.unknown, await work('nobody@example.org', `203.0.113.${n}`))
  }
  expect(least.unknown).toBeGreaterThan(least.known / 3)
})

test('ten wrong tries for one e-mail over two servers lock new sign-ins, and the answer says until when', async () => {
  const { admin } = await makeFixture(app)
  const other = await app.another()
  await signIn(admin.email, PASSWORD, '203.0.113.9')
  for (let n = 0; n < 5; n++) {
    expect((await signIn(admin.email, 'wrong horse 1', `198.51.100.${n}`)).status).toBe(401)
    expect((await signIn(admin.email, 'wrong horse 1', `198.51.100.${n}`, other)).status).toBe(401)
  }
  const refused = await signIn(admin.email, PASSWORD, '198.51.100.77')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
  // The account can still sign in from an address where it has before, so guessing strangers cannot lock anybody out.
  expect((await signIn(admin.email, PASSWORD, '203.0.113.9')).status).toBe(200)

  app.clock.now = new Date(app.clock.now.getTime() + 15 * 60_000)
  expect((await signIn(admin.email, PASSWORD, '198.51.100.77')).status).toBe(200)
})

test('at most a hundred wrong tries from one address count, whatever the e-mail, also simultaneous ones', async () => {
  await makeSudo(app)
  const tries = Array.from({ length: 120 }, async (_, n) => (await signIn(`n${n}@example.org`, 'x1')).status)
  const statuses = await Promise.all(tries)
  expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test('signing out ends this session and no other', async () => {
  const { admin, club } = await makeFixture(app)
  const tokens = [await signIn(admin.email, PASSWORD), await signIn(admin.email, PASSWORD)].map(
    (response) => response.headers.get('authorization') ?? '',
  )
  await app.call(authApi.signout, {}, tokens[0])
  await refusalOf(app.call(appUserApi.getAppUsers, { clubId: club.id }, tokens[0]), 'SIGN_IN_NEEDED')
  expect((await app.call(appUserApi.getAppUsers, { clubId: club.id }, tokens[1])).admins).toHaveLength(1)
})

test('changing one’s own password needs the current one, and ends all sessions but this', async () => {
  const { admin, club, token } = await makeFixture(app)
  const elsewhere = (await signIn(admin.email, PASSWORD)).headers.get('authorization') ?? ''
  const { id, fullName, email } = admin
  const self = { id, fullName, email, clubId: club.id, password: 'battery staple 2' }
  const wrong = await refusalOf(app.call(appUserApi.save, { payload: self }, token), 'INVALID_INPUT')
  expect(formatFields(wrong.fields)).toEqual([{ path: 'payload.currentPassword', msg: 'Enter your current password.' }])

  await app.call(appUserApi.save, { payload: { ...self, currentPassword: PASSWORD } }, token)
  await refusalOf(app.call(appUserApi.getAppUsers, { clubId: club.id }, elsewhere), 'SIGN_IN_NEEDED')
  expect((await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)).admins).toHaveLength(1)
  expect((await signIn(email, PASSWORD)).status).toBe(401)
  expect((await signIn(email, 'battery staple 2')).status).toBe(200)
})

test('changing one’s own e-mail address needs the password, notifies the old address, and ends sessions elsewhere', async () => {
  const { admin, club, token } = await makeFixture(app)
  const elsewhere = (await signIn(admin.email, PASSWORD)).headers.get('authorization') ?? ''
  const { id, fullName } = admin
  const move = (fields: { email: string; currentPassword?: string }) =>
    app.call(appUserApi.save, { payload: { id, fullName, clubId: club.id, ...fields } }, token)
  for (const { msg, ...wrong } of [
    { msg: 'Enter your current password.' },
    { msg: 'This is not your current password.', currentPassword: 'wrong horse 1' },
  ]) {
    const refused = await refusalOf(move({ email: 'thief@example.org', ...wrong }), 'INVALID_INPUT')
    expect(formatFields(refused.fields)).toEqual([{ path: 'payload.currentPassword', msg }])
  }
  // The same address in upper case is not a change.
  await move({ email: admin.email.toUpperCase() })
  await app.finishMails()
  expect(app.sent).toEqual([])

  expect(await move({ email: 'moved@example.org', currentPassword: PASSWORD })).toMatchObject({
    email: 'moved@example.org',
  })
  await app.finishMails()
  expect(app.sent).toMatchObject([{ to: admin.email.toUpperCase(), subject: 'Your e-mail address was changed' }])
  expect(JSON.stringify(app.sent)).not.toContain('moved@example.org')
  await refusalOf(app.call(appUserApi.getAppUsers, { clubId: club.id }, elsewhere), 'SIGN_IN_NEEDED')
  expect((await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)).admins).toHaveLength(1)
})

test('the limits by address count an IPv6 network, not each of its addresses', async () => {
  const tries = Array.from({ length: 12 }, (_, n) => signIn(`n${n}@example.org`, 'x1', `2001:db8:0:1::${n}`))
  await Promise.all(tries)
  const counts = await app.deps.db.selectFrom('limitCounts').select('count').where('count', '>', 1).execute()
  expect(counts).toEqual([{ count: 12 }, { count: 12 }])
})

test('a link that the operator passes on lets an admin choose a password, once and for three days', async () => {
  const { admin, sudo, token } = await makeFixture(app)
  const ask = (id: number, as: string) => app.call(appUserApi.makePasswordLink, { payload: { id } }, as)
  await refusalOf(ask(admin.id, token), 'NOT_ALLOWED')
  await refusalOf(ask(sudo.id, sudo.token), 'NOT_FOUND')
  const { url, expiresAt } = await ask(admin.id, sudo.token)
  expect(expiresAt.getTime() - app.clock.now.getTime()).toBe(3 * 24 * 60 * 60_000)
  expect(url).toMatch(/^https:\/\/turnout\.test\/reset-password#[\w-]{43}$/)
  const choose = () => app.call(authApi.resetPassword, { token: url.split('#')[1] ?? '', password: 'my own words 1' })
  await choose()
  await refusalOf(choose(), 'LINK_EXPIRED')
  const { currentUser } = await app.call(authApi.signin, { email: admin.email, password: 'my own words 1' })
  expect(currentUser.id).toBe(admin.id)
})

test('a reset by the operator gives a password once, and ends the admin’s sessions', async () => {
  const { sudo, admin, club, token } = await makeFixture(app)
  const { id, fullName, email } = admin
  const payload = { id, fullName, email, clubId: club.id, resetPassword: true }
  const saved = await app.call(appUserApi.save, { payload }, sudo.token)
  expect(saved.password).toMatch(/^(?=.*\d).{14}$/)
  await refusalOf(app.call(clubApi.save, { id: club.id, name: 'Mine' }, token), 'SIGN_IN_NEEDED')
  expect((await signIn(email, saved.password ?? '')).status).toBe(200)
})

test('password refusals use the specification’s sentences', async () => {
  const { sudo, club } = await makeFixture(app)
  const cases = [
    { password: '', msg: 'Password is required!' },
    { password: 'short 1', msg: 'Password must be 8 or more characters!' },
    { password: 'no digits here', msg: 'Password must include at least one number!' },
  ]
  for (const { password, msg } of cases) {
    const payload = { fullName: 'Eve', email: 'eve@example.org', clubId: club.id, password }
    const response = await app.raw(appUserApi.save, { payload }, { authorization: sudo.token })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { errors: [{ path: 'payload.password', msg }] },
    ])
  }
})

test('an address signs in for one account only, also when two are added at once', async () => {
  const { sudo, club, admin } = await makeFixture(app)
  const add = (email: string) =>
    app.call(appUserApi.save, { payload: { fullName: 'Eve', email, clubId: club.id, password: PASSWORD } }, sudo.token)
  const taken = await refusalOf(add(admin.email.toUpperCase()), 'EMAIL_TAKEN')
  expect(taken.fields[0]?.path).toBe('payload.email')
  const outcomes = await countOutcomes(Array.from({ length: 5 }, () => add('eve@example.org')))
  expect(outcomes).toEqual({ ok: 1, EMAIL_TAKEN: 4 })
})

test('an admin edits the admins of their own club and nobody else', async () => {
  const { sudo, club, token, admin } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const edit = (user: { id: number; email: string }, clubId: number | null) =>
    app.call(appUserApi.save, { payload: { id: user.id, fullName: 'New', email: user.email, clubId } }, token)
  await refusalOf(edit(other.admin, other.club.id), 'NOT_FOUND')
  await refusalOf(edit(other.admin, club.id), 'NOT_FOUND')
  await refusalOf(edit(sudo, null), 'NOT_FOUND')
  await refusalOf(edit(admin, other.club.id), 'NOT_FOUND')
  expect(await edit(admin, club.id)).toMatchObject({ fullName: 'New' })
  const foreign = { fullName: 'Eve', email: 'eve@example.org', clubId: other.club.id }
  await refusalOf(app.call(appUserApi.save, { payload: foreign }, token), 'NOT_FOUND')
})
