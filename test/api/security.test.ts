import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { historyApi } from '../../src/contract/history.ts'
import { passApi } from '../../src/contract/passes.ts'
import { securityApi } from '../../src/contract/security.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeFixture, makeMember, makePass, PASSWORD, tokenFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { codeOf as codeAt, setUpFactor } from '../support/second-factor.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const MINUTE = 60_000
let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

function pass(ms: number): void {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

const codeOf = (secret: string, steps?: number) => codeAt(app, secret, steps)
const setUp = (token: string) => setUpFactor(app, token)

const outcomeOf = async (call: Promise<unknown>) => Object.keys(await countOutcomes([call]))[0]

const signIn = (email: string, code?: string, password = PASSWORD) =>
  app.call(authApi.signin, { email, password, ...(code !== undefined && { code }) })

test('changes of the team need a sign-in of the last 15 minutes, or the password again', async () => {
  const { club, token, sudo, admin, event } = await makeFixture(app)
  const helper = { name: 'Hal Helper', may: ['tickets' as const], phones: 1 }
  const made = await makePass(app, event, token)
  const { member } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const { id, fullName, email } = member
  const invite = () =>
    app.call(
      teamApi.invite,
      { payload: { clubId: club.id, fullName: 'Ida', email: 'ida@example.org', teamRole: 'door', eventIds: null } },
      token,
    )
  const calls = [
    invite,
    () => app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id, teamRole: 'door' } }, token),
    () =>
      app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id, resetPassword: true } }, sudo.token),
    () => app.call(appUserApi.save, { payload: { fullName: 'New', email: 'n@example.org', clubId: club.id } }, token),
    () =>
      app.call(
        appUserApi.save,
        { payload: { id: admin.id, fullName: 'Ana', email: admin.email, clubId: club.id, teamRole: 'manager' } },
        token,
      ),
    () => app.call(appUserApi.makePasswordLink, { payload: { id } }, sudo.token),
    () => app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, token),
    () => app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, sudo.token),
    () => app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, token),
    () => app.call(securityApi.resetFactor, { payload: { clubId: club.id, id } }, token),
    () => app.call(securityApi.startApp, {}, token),
    () => app.call(securityApi.removeApp, {}, token),
    () => app.call(securityApi.makeRecoveryCodes, {}, token),
    () => app.call(passApi.makePass, { payload: { eventId: event.id, key: randomUUID(), ...helper } }, token),
    () => app.call(passApi.renewPass, { payload: { eventId: event.id, id: made.pass.id } }, token),
  ]
  pass(15 * MINUTE)
  for (const call of calls)
    expect(await refusalOf(call(), 'CONFIRM_IDENTITY')).toMatchObject({ status: 403, payload: { by: 'password' } })

  // What is everybody's own, and what is no matter of the team, goes on.
  await app.call(
    appUserApi.save,
    { payload: { id: admin.id, fullName: 'Ana', email: admin.email, clubId: club.id } },
    token,
  )
  await app.call(clubApi.save, { id: club.id, name: 'Renamed' }, token)

  const wrong = app.call(securityApi.confirmIdentity, { password: 'wrong' }, token)
  expect((await refusalOf(wrong, 'INVALID_INPUT')).fields).toMatchObject([{ path: 'password' }])
  await refusalOf(invite(), 'CONFIRM_IDENTITY')
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, token)
  await invite()
  // Only that session.
  await refusalOf(app.call(securityApi.removeApp, {}, await staleSession(admin.id)), 'CONFIRM_IDENTITY')
  pass(15 * MINUTE - 1)
  await app.call(securityApi.startApp, {}, token)
  pass(1)
  await refusalOf(app.call(securityApi.startApp, {}, token), 'CONFIRM_IDENTITY')
})

async function staleSession(userId: number): Promise<string> {
  const token = await tokenFor(app, userId)
  await sql`
    update sessions set created_at = created_at - interval '1 hour' where id = (select max(id) from sessions)
  `.execute(app.deps.db)
  return token
}

test('one’s own password takes the current one, fresh or not, and a helper pass confirms nothing', async () => {
  const { club, token, admin, event } = await makeFixture(app)
  const { session } = await makePass(app, event, token)
  const payload = { id: admin.id, fullName: 'Ana', email: admin.email, clubId: club.id, password: 'new lantern 44' }
  await refusalOf(app.call(appUserApi.save, { payload }, token), 'INVALID_INPUT')
  pass(20 * MINUTE)
  await app.call(appUserApi.save, { payload: { ...payload, currentPassword: PASSWORD } }, token)
  await refusalOf(app.call(securityApi.confirmIdentity, { password: PASSWORD }, session), 'NOT_ALLOWED')
  await refusalOf(app.call(securityApi.startApp, {}, session), 'NOT_ALLOWED')
})

test('tries to confirm are limited', async () => {
  const { token } = await makeFixture(app)
  const confirm = () => outcomeOf(app.call(securityApi.confirmIdentity, { password: 'wrong' }, token))
  const outcomes = []
  for (let n = 0; n < 21; n++) outcomes.push(await confirm())
  expect(outcomes.slice(0, 20)).not.toContain('TOO_MANY_TRIES')
  expect(outcomes[20]).toBe('TOO_MANY_TRIES')
})

test('with an app, signing in takes a code, each code works once, and a recovery code once', async () => {
  const { admin, token, club } = await makeFixture(app)
  const { email } = admin
  const other = await tokenFor(app, admin.id)
  const { secret, url, recoveryCodes } = await setUp(token)
  expect(url).toMatch(/^otpauth:\/\/totp\/Turnout/)
  expect(new URL(url).searchParams.get('secret')).toBe(secret)
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(recoveryCodes[0]).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/)
  // What was opened without it has ended.
  await refusalOf(app.call(authApi.getCurrentUser, {}, other), 'SIGN_IN_NEEDED')

  const asked = await app.raw(authApi.signin, { email, password: PASSWORD })
  expect([asked.status, asked.headers.get('authorization')]).toEqual([401, null])
  expect(await asked.json()).toMatchObject({ code: 'SECOND_FACTOR_NEEDED', msg: expect.stringContaining('code') })
  // Nothing is said to whoever does not know the password.
  await refusalOf(signIn(email, codeOf(secret), 'wrong'), 'WRONG_CREDENTIALS')
  await refusalOf(signIn(email, undefined, 'wrong'), 'WRONG_CREDENTIALS')
  expect((await refusalOf(signIn(email, '000000'), 'INVALID_INPUT')).fields).toMatchObject([{ path: 'code' }])
  await refusalOf(signIn(email, codeOf(secret, 3)), 'INVALID_INPUT')

  const code = codeOf(secret)
  await signIn(email, `${code.slice(0, 3)} ${code.slice(3)}`)
  await refusalOf(signIn(email, code), 'INVALID_INPUT')
  // Nor does the one before it.
  await refusalOf(signIn(email, codeOf(secret, -1)), 'INVALID_INPUT')
  const next = codeOf(secret, 1)
  const both = await Promise.all([outcomeOf(signIn(email, next)), outcomeOf(signIn(email, next))])
  expect(both.filter((outcome) => outcome === 'INVALID_INPUT')).toHaveLength(1)

  const [first = '', second = ''] = recoveryCodes
  await signIn(email, first.toUpperCase().replaceAll('-', ' '))
  await refusalOf(signIn(email, first), 'INVALID_INPUT')
  const factors = () => app.call(securityApi.getFactors, {}, token)
  expect(await factors()).toEqual({ hasApp: true, recoveryCodesLeft: 9, passkeys: [] })
  const { rows } = await sql<{ codeHash: string }>`select code_hash from recovery_codes`.execute(app.deps.db)
  expect(JSON.stringify(rows)).not.toContain(second)

  const { recoveryCodes: renewed } = await app.call(securityApi.makeRecoveryCodes, {}, token)
  await refusalOf(signIn(email, second), 'INVALID_INPUT')
  await signIn(email, renewed[0])
  const { entries } = await app.call(historyApi.getHistory, { clubId: club.id }, token)
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['Two-step sign-in turned on', 'Recovery code used', 'New recovery codes made']),
  )
})

test('an app counts only after its first code, and one is not replaced by another', async () => {
  const { admin, token } = await makeFixture(app)
  const { secret } = await app.call(securityApi.startApp, {}, token)
  await refusalOf(app.call(securityApi.finishApp, { code: '000000' }, token), 'INVALID_INPUT')
  await signIn(admin.email)
  const latest = await app.call(securityApi.startApp, {}, token)
  await refusalOf(app.call(securityApi.finishApp, { code: codeOf(secret) }, token), 'INVALID_INPUT')
  const code = codeOf(latest.secret)
  await app.call(securityApi.finishApp, { code }, token)
  await refusalOf(app.call(securityApi.startApp, {}, token), 'EDIT_CONFLICT')
  await refusalOf(app.call(securityApi.finishApp, { code }, token), 'EDIT_CONFLICT')
  // The code that finished it is used up.
  await refusalOf(signIn(admin.email, code), 'INVALID_INPUT')
})

test('wrong codes are limited like wrong passwords, and the step before does not take them back', async () => {
  const { admin, token } = await makeFixture(app)
  const { secret } = await setUp(token)
  const outcomes: unknown[] = []
  for (let n = 0; n < 6; n++) {
    outcomes.push(await outcomeOf(signIn(admin.email)))
    outcomes.push(await outcomeOf(signIn(admin.email, '000000')))
  }
  expect(outcomes.slice(0, 10)).not.toContain('TOO_MANY_TRIES')
  expect(outcomes.slice(10)).toEqual(['TOO_MANY_TRIES', 'TOO_MANY_TRIES'])
  await refusalOf(signIn(admin.email, codeOf(secret)), 'TOO_MANY_TRIES')
  // Sign-ins that succeed never end there.
  for (let n = 0; n < 12; n++) {
    pass(15 * MINUTE)
    await refusalOf(signIn(admin.email), 'SECOND_FACTOR_NEEDED')
    await signIn(admin.email, codeOf(secret))
  }
})

test('codes are limited for a day too, from wherever they are tried', async () => {
  const { admin, token } = await makeFixture(app)
  await setUp(token)
  for (let n = 0; n < 50; n++) {
    if (n % 8 === 0) pass(15 * MINUTE)
    await refusalOf(signIn(admin.email, '000000'), 'INVALID_INPUT')
  }
  pass(15 * MINUTE)
  await refusalOf(signIn(admin.email, '000000'), 'TOO_MANY_TRIES')
})

test('whoever has an app confirms with a code, also for their own password, and turns it off', async () => {
  const { admin, token, club } = await makeFixture(app)
  const { secret, recoveryCodes } = await setUp(token)
  pass(20 * MINUTE)
  const payload = { id: admin.id, fullName: 'Ana', email: admin.email, clubId: club.id, password: 'new lantern 44' }
  const change = () => app.call(appUserApi.save, { payload: { ...payload, currentPassword: PASSWORD } }, token)
  expect(await refusalOf(change(), 'CONFIRM_IDENTITY')).toMatchObject({ payload: { by: 'code' } })
  await refusalOf(app.call(securityApi.removeApp, {}, token), 'CONFIRM_IDENTITY')
  await refusalOf(app.call(securityApi.confirmIdentity, { password: PASSWORD }, token), 'INVALID_INPUT')
  await app.call(securityApi.confirmIdentity, { code: codeOf(secret) }, token)
  await change()
  await app.call(securityApi.removeApp, {}, token)
  expect(await app.call(securityApi.getFactors, {}, token)).toEqual({
    hasApp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  })
  await signIn(admin.email, undefined, 'new lantern 44')
  await refusalOf(app.call(securityApi.confirmIdentity, { code: recoveryCodes[0] }, token), 'INVALID_INPUT')
})

test('where a club requires it, whoever has none may only set it up', async () => {
  const { club, token, admin, event, sudo } = await makeFixture(app)
  const { member, token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const { session } = await makePass(app, event, token)
  const other = await makeFixture(app)
  await setUp(token)
  const team = () => app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  expect(await team()).toMatchObject({ needsSecondFactor: false })
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, token)
  const { admins, needsSecondFactor } = await team()
  expect(needsSecondFactor).toBe(true)
  expect(admins.map(({ id, hasSecondFactor }) => [id, hasSecondFactor])).toEqual([
    [admin.id, true],
    [member.id, false],
  ])

  const read = (by: string) => app.call(eventApi.getAllEvents, { clubId: club.id }, by)
  expect((await refusalOf(read(theirs), 'SET_UP_SECOND_FACTOR')).status).toBe(403)
  const draft = await app.call(
    eventApi.save,
    { name: 'Draft', startsAt: event.startsAt, endsAt: event.endsAt, status: 'draft' },
    token,
  )
  await refusalOf(app.call(eventApi.getEvent, { eventId: draft.id }, theirs), 'NOT_FOUND')
  const someoneElse = { fullName: 'X', email: 'x@example.org', clubId: club.id }
  await refusalOf(app.call(appUserApi.save, { payload: someoneElse }, theirs), 'SET_UP_SECOND_FACTOR')
  expect(await app.call(authApi.getCurrentUser, {}, theirs)).toMatchObject({ mustSetUp: true })
  // Nobody else is asked for one.
  await read(token)
  expect(await app.call(authApi.getCurrentUser, {}, session)).toMatchObject({ mustSetUp: false })
  await app.call(clubApi.getAllClubs, {}, sudo.token)
  await app.call(eventApi.getAllEvents, { clubId: other.club.id }, other.token)

  await setUp(theirs)
  expect(await app.call(authApi.getCurrentUser, {}, theirs)).toMatchObject({ mustSetUp: false })
  await read(theirs)
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: false } }, token)
  const { entries } = await app.call(historyApi.getHistory, { clubId: club.id, subject: 'club' }, token)
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual([
    'Two-step sign-in no longer required',
    'Two-step sign-in required of everybody',
  ])
})

test('an owner resets the second factor of their team, the operator that of an owner, and both tell the person', async () => {
  const { club, token, sudo, admin } = await makeFixture(app)
  const { member, token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const other = await makeFixture(app)
  await setUp(theirs)
  await setUp(token)
  const reset = (id: number, by: string, clubId = club.id) =>
    app.call(securityApi.resetFactor, { payload: { clubId, id } }, by)
  await refusalOf(reset(member.id, other.token, other.club.id), 'NOT_FOUND')
  await refusalOf(reset(member.id, other.token), 'NOT_FOUND')
  await refusalOf(reset(other.admin.id, token), 'NOT_FOUND')
  await refusalOf(reset(admin.id, token), 'NOT_ALLOWED')
  await refusalOf(reset(admin.id, theirs), 'NOT_ALLOWED')
  await refusalOf(signIn(member.email), 'SECOND_FACTOR_NEEDED')

  await app.finishMails()
  app.sent.length = 0
  await reset(member.id, token)
  await refusalOf(app.call(authApi.getCurrentUser, {}, theirs), 'SIGN_IN_NEEDED')
  await signIn(member.email)
  await refusalOf(reset(member.id, token), 'NOT_FOUND')
  await reset(admin.id, sudo.token)
  await signIn(admin.email)
  await app.finishMails()
  expect(new Set(app.sent.map(({ to }) => to))).toEqual(new Set([member.email, admin.email]))
  expect(app.sent.map(({ subject }) => subject)).toEqual(Array(2).fill('Your two-step sign-in was turned off'))
  const { entries } = await app.call(
    historyApi.getHistory,
    { clubId: club.id, subject: 'team' },
    await tokenFor(app, admin.id),
  )
  expect(entries[0]).toMatchObject({ action: 'Two-step sign-in reset', about: expect.stringContaining('Ana') })
})
