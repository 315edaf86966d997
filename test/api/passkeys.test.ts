import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { historyApi } from '../../src/contract/history.ts'
import { passkeyApi } from '../../src/contract/passkeys.ts'
import { securityApi } from '../../src/contract/security.ts'
import { deleteSessionsOf } from '../../src/server/auth/queries.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import { lockUser } from '../../src/server/records/user-queries.ts'
import { Authenticator } from '../support/authenticator.ts'
import { makeApiToken, makeFixture, makeMember, PASSWORD, tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { codeOf, setUpFactor } from '../support/second-factor.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { countWaiting } from '../support/waiting.ts'

const MINUTE = 60_000
let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

function pass(ms: number): void {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

const start = () => app.call(passkeyApi.startUse, {})
const send = (passkey: ReturnType<Authenticator['use']>) => app.call(passkeyApi.signIn, { passkey })
const signInWith = async (device: Authenticator) => send(device.use(await start()))
const signIn = (email: string, code?: string) =>
  app.call(authApi.signin, { email, password: PASSWORD, ...(code !== undefined && { code }) })

/** Adds a passkey of this device; returns the recovery codes. */
async function add(token: string, device: Authenticator) {
  const options = await app.call(passkeyApi.startAdding, {}, token)
  return (await app.call(passkeyApi.finishAdding, { passkey: device.make(options) }, token)).recoveryCodes
}

const mailKinds = async () =>
  (await app.deps.db.selectFrom('mails').select('kind').orderBy('id').execute()).map(({ kind }) => kind)

test('with a passkey one signs in without a password, and the password alone is not enough any more', async () => {
  const { admin, token, club, event } = await makeFixture(app)
  const other = await tokenFor(app, admin.id)
  const { token: apiToken } = await makeApiToken(app, token)
  const device = new Authenticator()
  const recoveryCodes = await add(token, device)
  expect(recoveryCodes).toHaveLength(10)

  // What was opened without it has ended, but for the session that added it.
  for (const ended of [other, apiToken]) await refusalOf(app.call(authApi.getCurrentUser, {}, ended), 'SIGN_IN_NEEDED')
  const { currentUser } = await signInWith(device)
  expect(currentUser).toMatchObject({ id: admin.id, clubId: club.id, mustSetUp: false })
  expect(await app.call(authApi.getSessions, {}, token)).toHaveLength(2)

  expect(await refusalOf(signIn(admin.email), 'SECOND_FACTOR_NEEDED')).toMatchObject({
    payload: { hasApp: false, hasPasskey: true },
  })
  await refusalOf(signIn(admin.email, '123456'), 'INVALID_INPUT')
  await signIn(admin.email, recoveryCodes?.[0])
  const { passkeys, ...factors } = await app.call(securityApi.getFactors, {}, token)
  expect(factors).toEqual({ hasApp: false, recoveryCodesLeft: 9 })
  expect(passkeys).toMatchObject([{ createdAt: app.clock.now, lastUsedAt: app.clock.now }])
  expect(await mailKinds()).toContain('passkey added')
  const { entries } = await app.call(historyApi.getHistory, { clubId: event.clubId }, token)
  expect(entries.map(({ action }) => action)).toContain('Passkey added')
})

test('a passkey signs in only for this site, with a fresh challenge, unlocked, and once', async () => {
  const { token } = await makeFixture(app)
  const device = new Authenticator()
  await add(token, device)
  const refuses = async (proof: ReturnType<Authenticator['use']>) => refusalOf(send(proof), 'WRONG_CREDENTIALS')

  await refuses(device.use(await start(), { origin: 'https://turnout.example' }))
  await refuses(device.use({ ...(await start()), rpId: 'turnout.example' }))
  await refuses(device.use(await start(), { isVerified: false }))
  await refuses(device.use({ ...(await start()), challenge: 'bWluZQ' }))
  await refuses({ ...device.use(await start()), signature: new Authenticator().use(await start()).signature })
  await refuses({ ...device.use(await start()), clientDataJSON: 'bm9uc2Vuc2U' })
  await refuses(device.use(await start(), { challenge: 5 }))
  await refuses(new Authenticator().use(await start()))
  // A challenge for adding a passkey is none for signing in.
  const { challenge } = await app.call(passkeyApi.startAdding, {}, token)
  await refuses(device.use({ ...(await start()), challenge }))
  const late = await start()
  pass(4 * MINUTE)
  await refuses(device.use(late))

  const proof = device.use(await start())
  const outcomes = await countOutcomes([send(proof), send(proof), send(proof)])
  expect(outcomes).toMatchObject({ WRONG_CREDENTIALS: 2 })
  await refuses(proof)
  await signInWith(device)
})

test('a passkey whose device has not counted up is refused, since it may be a copy', async () => {
  const { token } = await makeFixture(app)
  const device = new Authenticator()
  await add(token, device)
  await send(device.use(await start(), { counter: 7 }))
  await refusalOf(send(device.use(await start(), { counter: 7 })), 'WRONG_CREDENTIALS')
  await send(device.use(await start(), { counter: 8 }))
  const [one, other] = [device.use(await start(), { counter: 9 }), device.use(await start(), { counter: 9 })]
  expect(await countOutcomes([send(one), send(other)])).toMatchObject({ WRONG_CREDENTIALS: 1 })
})

test('a session that is ended at the same moment adds no passkey', async () => {
  const { admin, token } = await makeFixture(app)
  const device = new Authenticator()
  const passkey = device.make(await app.call(passkeyApi.startAdding, {}, token))
  const { outcome } = await app.deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, admin.id)
    const outcome = refusalOf(app.call(passkeyApi.finishAdding, { passkey }, token), 'SIGN_IN_NEEDED')
    await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'it waits for the account')
    await deleteSessionsOf(tx, admin.id, null)
    return { outcome }
  })
  await outcome
  await refusalOf(signInWith(device), 'WRONG_CREDENTIALS')
  await signIn(admin.email)
})

test('an app beside a passkey signs nobody out and brings no new recovery codes', async () => {
  const { admin, token } = await makeFixture(app)
  const device = new Authenticator()
  const recoveryCodes = await add(token, device)
  await makeApiToken(app, token)
  const { secret } = await setUpFactor(app, token)
  expect(await app.deps.db.selectFrom('apiTokens').select('id').execute()).toHaveLength(1)
  await signIn(admin.email, recoveryCodes?.[0])
  await signIn(admin.email, codeOf(app, secret))
  await signInWith(device)
  expect(await mailKinds()).toContain('code app added')
})

test('a passkey is added only from a fresh sign-in, by whoever began, and once', async () => {
  const { token, club } = await makeFixture(app)
  const { token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const device = new Authenticator()
  const options = await app.call(passkeyApi.startAdding, {}, token)
  const finish = (passkey: ReturnType<Authenticator['make']>, by = token) =>
    app.call(passkeyApi.finishAdding, { passkey }, by)
  await refusalOf(finish(device.make(options), theirs), 'INVALID_INPUT')
  await refusalOf(finish(device.make(options, { origin: 'https://turnout.example' })), 'INVALID_INPUT')
  await refusalOf(finish(device.make(options, { isVerified: false })), 'INVALID_INPUT')
  await refusalOf(finish(device.make({ ...options, challenge: (await start()).challenge })), 'INVALID_INPUT')
  // Nothing of its maker, which would have to be looked up elsewhere.
  for (const format of ['packed', 'android-key', 'tpm'])
    await refusalOf(finish(device.make(options, { format })), 'INVALID_INPUT')
  await refusalOf(finish(device.make(options, { idBytes: 6_000 })), 'INVALID_INPUT')
  await finish(device.make(options))
  await refusalOf(finish(device.make(options)), 'INVALID_INPUT')
  const again = await app.call(passkeyApi.startAdding, {}, token)
  expect(again.excludeCredentials).toHaveLength(1)
  await refusalOf(finish(device.make(again)), 'EDIT_CONFLICT')
  // Nor may another person have it.
  await refusalOf(finish(device.make(await app.call(passkeyApi.startAdding, {}, theirs)), theirs), 'EDIT_CONFLICT')
  // A second one brings no new recovery codes.
  expect(await add(token, new Authenticator())).toBeNull()

  pass(15 * MINUTE)
  await refusalOf(app.call(passkeyApi.startAdding, {}, token), 'CONFIRM_IDENTITY')
})

test('a passkey proves again who one is; one of somebody else does not', async () => {
  const { token, club } = await makeFixture(app)
  const { token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const [device, other] = [new Authenticator(), new Authenticator()]
  await add(token, device)
  await add(theirs, other)
  pass(20 * MINUTE)
  const begin = () => app.call(passkeyApi.startAdding, {}, token)
  expect(await refusalOf(begin(), 'CONFIRM_IDENTITY')).toMatchObject({ payload: { by: 'code', hasPasskey: true } })
  const confirm = async (by: Authenticator) =>
    app.call(securityApi.confirmIdentity, { passkey: by.use(await start()) }, token)
  expect(await refusalOf(confirm(other), 'INVALID_INPUT')).toMatchObject({ fields: [{ path: 'passkey' }] })
  await refusalOf(app.call(securityApi.confirmIdentity, { password: PASSWORD }, token), 'INVALID_INPUT')
  await refusalOf(begin(), 'CONFIRM_IDENTITY')
  await confirm(device)
  await begin()
})

test('a removed passkey signs nobody in; without the last factor the password is enough again', async () => {
  const { admin, token } = await makeFixture(app)
  const [first, second] = [new Authenticator(), new Authenticator()]
  await add(token, first)
  await add(token, second)
  const { secret } = await setUpFactor(app, token)
  const list = async () => (await app.call(securityApi.getFactors, {}, token)).passkeys
  const remove = (id: number) => app.call(passkeyApi.remove, { payload: { id } }, token)
  const [latest, oldest] = await list()
  const begun = first.use(await start())
  await remove(oldest?.id ?? 0)
  await refusalOf(send(begun), 'WRONG_CREDENTIALS')
  await refusalOf(signInWith(first), 'WRONG_CREDENTIALS')
  await refusalOf(remove(oldest?.id ?? 0), 'NOT_FOUND')
  await signInWith(second)

  // The app goes, and the passkey stays.
  await app.call(securityApi.removeApp, {}, token)
  await refusalOf(signIn(admin.email), 'SECOND_FACTOR_NEEDED')
  await refusalOf(signIn(admin.email, codeOf(app, secret)), 'INVALID_INPUT')
  expect((await app.call(securityApi.getFactors, {}, token)).recoveryCodesLeft).toBe(10)
  await remove(latest?.id ?? 0)
  await signIn(admin.email)
  expect(await app.call(securityApi.getFactors, {}, token)).toEqual({
    hasApp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  })
  expect((await mailKinds()).slice(-3)).toEqual(['passkey removed', 'code app removed', 'second factor off'])
})

test('nobody removes a passkey of somebody else, but an owner resets the whole second factor', async () => {
  const { token, club } = await makeFixture(app)
  const { member, token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const device = new Authenticator()
  await add(theirs, device)
  await makeApiToken(app, theirs)
  const [passkey] = (await app.call(securityApi.getFactors, {}, theirs)).passkeys
  await refusalOf(app.call(passkeyApi.remove, { payload: { id: passkey?.id ?? 0 } }, token), 'NOT_FOUND')
  await app.call(securityApi.resetFactor, { payload: { clubId: club.id, id: member.id } }, token)
  await refusalOf(signInWith(device), 'WRONG_CREDENTIALS')
  expect(await app.deps.db.selectFrom('apiTokens').select('id').execute()).toEqual([])
  await signIn(member.email)
})

test('a passkey is the second factor that a club requires', async () => {
  const { token, club } = await makeFixture(app)
  const { token: theirs, member } = await makeMember(app, { clubId: club.id, token }, 'manager')
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, token)
  expect((await app.call(authApi.getCurrentUser, {}, theirs)).mustSetUp).toBe(true)
  const device = new Authenticator()
  await add(theirs, device)
  expect((await app.call(authApi.getCurrentUser, {}, theirs)).mustSetUp).toBe(false)
  const { currentUser } = await signInWith(device)
  expect(currentUser).toMatchObject({ id: member.id, mustSetUp: false })
})

test('challenges that nobody used are forgotten, and are limited', async () => {
  for (let n = 0; n < 200; n++) await start()
  await refusalOf(start(), 'TOO_MANY_TRIES')
  const count = async () => (await app.deps.db.selectFrom('passkeyChallenges').selectAll().execute()).length
  expect(await count()).toBe(200)
  pass(4 * MINUTE)
  await sweepSignIns(app.deps)
  expect(await count()).toBe(0)
})
