import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { securityApi } from '../../src/contract/security.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import { lockUser, updateUser } from '../../src/server/records/user-queries.ts'
import { makeFixture, PASSWORD } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { countWaiting } from '../support/waiting.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
afterEach(() => app.stop())

/** Asks for another address of one's own, as the profile does. */
function want(email: string, more: object = {}) {
  const { admin, club, token } = fixture
  const { id, fullName } = admin
  const payload = { id, fullName, email, clubId: club.id, confirmEmail: true, currentPassword: PASSWORD, ...more }
  return app.call(appUserApi.save, { payload }, token)
}

/** The token of the link in the mail sent last. */
async function mailedToken(): Promise<string> {
  await app.finishMails()
  return /\/confirm-address#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
}
const confirm = (token: string) => app.call(authApi.confirmAddress, { token })
const signIn = async (email: string) => (await app.raw(authApi.signin, { email, password: PASSWORD })).status
const waiting = async () => (await app.call(securityApi.getNewAddress, {}, fixture.token)).email

test('an own new address counts once its link is opened, and the former one is told', async () => {
  const { admin, token } = fixture
  await refusalOf(want('new@example.org', { currentPassword: 'wrong horse 1' }), 'INVALID_INPUT')
  expect(await want('new@example.org', { fullName: 'Ana Lee' })).toMatchObject({
    email: admin.email,
    fullName: 'Ana Lee',
  })
  const link = await mailedToken()
  expect(app.sent.at(-1)).toMatchObject({ to: 'new@example.org', subject: 'Confirm your new e-mail address' })
  expect(JSON.stringify(await app.deps.db.selectFrom('newAddresses').selectAll().execute())).not.toContain(link)
  expect(await waiting()).toBe('new@example.org')
  const elsewhere =
    (await app.raw(authApi.signin, { email: admin.email, password: PASSWORD })).headers.get('authorization') ?? ''
  expect([await signIn(admin.email), await signIn('new@example.org')]).toEqual([200, 401])

  await refusalOf(confirm('A'.repeat(43)), 'LINK_EXPIRED')
  expect(await countOutcomes([confirm(link), confirm(link)])).toEqual({ ok: 1, LINK_EXPIRED: 1 })
  expect([await signIn(admin.email), await signIn('new@example.org')]).toEqual([401, 200])
  expect(await waiting()).toBeNull()
  await app.finishMails()
  expect(app.sent.at(-1)).toMatchObject({ to: admin.email })
  expect(app.sent.at(-1)?.text).not.toContain('new@example.org')
  // The session that asked goes on, and no other one.
  expect(await app.call(authApi.getCurrentUser, {}, token)).toMatchObject({ email: 'new@example.org' })
  await refusalOf(app.call(authApi.getCurrentUser, {}, elsewhere), 'SIGN_IN_NEEDED')
  await sweepSignIns(app.deps)
  expect(JSON.stringify(await app.deps.db.selectFrom('mails').selectAll().execute())).not.toContain('new@example.org')
})

test('both of the links mailed last work; their number is limited, and a name that is a web address is left out', async () => {
  await want('new@example.org', { fullName: 'Prizes at evil.example' })
  const first = await mailedToken()
  expect(app.sent.at(-1)?.text).not.toContain('evil.example')
  await want('new@example.org')
  const second = await mailedToken()
  expect(second).not.toBe(first)
  for (let n = 3; n <= 5; n++) await want('new@example.org')
  await refusalOf(want('New@example.org'), 'TOO_MANY_TRIES')
  await app.finishMails()
  await refusalOf(confirm(first), 'LINK_EXPIRED')
  await confirm(await mailedToken())
})

test('an address that takes no mail is named as such, until another one is wanted', async () => {
  const state = () => app.call(securityApi.getNewAddress, {}, fixture.token)
  expect(await state()).toEqual({ email: null, isUndeliverable: false })
  await want('nobody@example.org')
  expect(await state()).toEqual({ email: 'nobody@example.org', isUndeliverable: false })
  await app.deps.db.updateTable('mails').set({ status: 'failed' }).where('kind', '=', 'confirm address').execute()
  expect(await state()).toEqual({ email: 'nobody@example.org', isUndeliverable: true })
  await want('somebody@example.org')
  expect(await state()).toEqual({ email: 'somebody@example.org', isUndeliverable: false })
})

test('a save that was begun before the address was confirmed does not change it back', async () => {
  const { admin, club, token } = fixture
  await want('new@example.org')
  const link = await mailedToken()
  const { id, fullName, email } = admin
  let saving: Promise<unknown> = Promise.resolve()
  await app.deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, id)
    saving = refusalOf(
      app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id } }, token),
      'EDIT_CONFLICT',
    )
    await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'the save waits for the lock')
    await updateUser(tx, id, { email: 'new@example.org' })
  })
  await saving
  expect(await signIn('new@example.org')).toBe(200)
  // The change has dropped the wish.
  await refusalOf(confirm(link), 'LINK_EXPIRED')
})

test('signing out everywhere else, and a password set by a link, drop the wish', async () => {
  const { admin, token } = fixture
  await want('one@example.org')
  const first = await mailedToken()
  await app.call(authApi.endOtherSessions, {}, token)
  await refusalOf(confirm(first), 'LINK_EXPIRED')
  await want('two@example.org')
  const second = await mailedToken()
  await app.call(authApi.forgotPassword, { email: admin.email })
  await app.finishMails()
  const reset = /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  await app.call(authApi.resetPassword, { token: reset, password: 'battery staple 2' })
  await refusalOf(confirm(second), 'LINK_EXPIRED')
})

test('a link for a new address ends with another wish, a change of the password or address, and a day', async () => {
  const { admin, club, sudo, token } = fixture
  await want('one@example.org')
  const first = await mailedToken()
  await want('two@example.org')
  const second = await mailedToken()
  await refusalOf(confirm(first), 'LINK_EXPIRED')
  await app.call(securityApi.dropNewAddress, {}, token)
  await refusalOf(confirm(second), 'LINK_EXPIRED')

  const { id, fullName, email } = admin
  await want('three@example.org')
  const third = await mailedToken()
  const moved = { id, fullName, email: 'moved@example.org', clubId: club.id }
  await app.call(appUserApi.save, { payload: moved }, sudo.token)
  await refusalOf(confirm(third), 'LINK_EXPIRED')

  const signedIn = await app.raw(authApi.signin, { email: 'moved@example.org', password: PASSWORD })
  fixture.token = signedIn.headers.get('authorization') ?? ''
  await want('four@example.org')
  const fourth = await mailedToken()
  const changed = { ...moved, password: 'battery staple 2', currentPassword: PASSWORD }
  await app.call(appUserApi.save, { payload: changed }, fixture.token)
  await refusalOf(confirm(fourth), 'LINK_EXPIRED')

  await want('five@example.org', { currentPassword: 'battery staple 2' })
  const fifth = await mailedToken()
  app.clock.now = new Date(app.clock.now.getTime() + 24 * 60 * 60_000)
  await refusalOf(confirm(fifth), 'LINK_EXPIRED')
  await sweepSignIns(app.deps)
  expect(await app.deps.db.selectFrom('newAddresses').selectAll().execute()).toEqual([])
  expect(email).not.toBe(moved.email)
})

test('an address that somebody else got meanwhile is refused, and one that is dropped gets no mail', async () => {
  const { club, sudo } = fixture
  await want('wanted@example.org')
  const link = await mailedToken()
  const other = { fullName: 'Bo', email: 'Wanted@example.org', clubId: club.id, role: 'admin' as const }
  await app.call(appUserApi.save, { payload: other }, sudo.token)
  await refusalOf(confirm(link), 'EMAIL_TAKEN')
  // Refused wishes do not use up what may be sent to that address.
  for (let n = 1; n <= 6; n++) await refusalOf(want('wanted@example.org'), 'EMAIL_TAKEN')

  const before = app.sent.length
  await want('never@example.org')
  await app.call(securityApi.dropNewAddress, {}, fixture.token)
  await app.finishMails()
  expect(app.sent).toHaveLength(before)
})

test('without the wish to confirm it, an address counts at once, also when it is written in another way', async () => {
  const { admin } = fixture
  expect(await want('Now@example.org', { confirmEmail: false })).toMatchObject({ email: 'Now@example.org' })
  expect(await want('now@example.org')).toMatchObject({ email: 'now@example.org' })
  expect(await waiting()).toBeNull()
  expect(await signIn(admin.email)).toBe(401)
})
