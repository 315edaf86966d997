import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { securityApi } from '../../src/contract/security.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { hashPassword } from '../../src/server/auth/passwords.ts'
import type { Tx } from '../../src/server/db/schema.ts'
import { finishApp, saveSecret } from '../../src/server/second-factor/queries.ts'
import { makeFixture, makeMember, makeRegistration, PASSWORD, tokenFor } from '../support/make.ts'
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

const outcomeOf = async (call: Promise<unknown>) => Object.keys(await countOutcomes([call]))[0]

const signIn = (email: string, code?: string, password = PASSWORD) =>
  app.call(authApi.signin, { email, password, ...(code !== undefined && { code }) })

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** What becomes of a sign-in whose password was right, when the account is changed before its session is opened. */
async function signInDuring(person: { id: number; email: string }, change: (tx: Tx) => Promise<unknown>) {
  const { outcome } = await app.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', person.id).forUpdate().execute()
    const outcome = outcomeOf(signIn(person.email))
    await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'the sign-in waits for the account')
    await change(tx)
    return { outcome }
  })
  const sessions = await app.deps.db.selectFrom('sessions').select('id').where('userId', '=', person.id).execute()
  return { outcome: await outcome, sessions: sessions.length }
}

test('a sign-in that is under way when two-step sign-in is turned on opens no session', async () => {
  const { admin } = await makeFixture(app)
  const turnOn = async (tx: Tx) => {
    await saveSecret(tx, admin.id, SECRET)
    await finishApp(tx, { userId: admin.id, secret: SECRET }, app.clock.now)
  }
  expect(await signInDuring(admin, turnOn)).toEqual({ outcome: 'SECOND_FACTOR_NEEDED', sessions: 1 })
})

test('a sign-in that is under way when the password is changed opens no session', async () => {
  const { admin } = await makeFixture(app)
  const passwordHash = await hashPassword('new lantern 44')
  const change = (tx: Tx) => tx.updateTable('users').set({ passwordHash }).where('id', '=', admin.id).execute()
  expect(await signInDuring(admin, change)).toEqual({ outcome: 'WRONG_CREDENTIALS', sessions: 1 })
  await signIn(admin.email, undefined, 'new lantern 44')
})

test('a session that is ended at the same moment changes no password', async () => {
  const { admin, token, club } = await makeFixture(app)
  const { id, email } = admin
  const change = { id, fullName: 'Ana', email, clubId: club.id, password: 'new lantern 44', currentPassword: PASSWORD }
  const { outcome } = await app.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    const outcome = refusalOf(app.call(appUserApi.save, { payload: change }, token), 'SIGN_IN_NEEDED')
    await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'it waits for the account')
    await tx.deleteFrom('sessions').where('userId', '=', id).execute()
    return { outcome }
  })
  await outcome
  await signIn(email)
})

test('a session that has not proved the second factor does not count, whoever opened it', async () => {
  const { admin, token } = await makeFixture(app)
  await setUpFactor(app, token)
  // As by a server of an earlier version during an upgrade.
  const unproved = await tokenFor(app, admin.id)
  await refusalOf(app.call(authApi.getCurrentUser, {}, unproved), 'SIGN_IN_NEEDED')
  await app.call(authApi.getCurrentUser, {}, token)
})

test('each change of two-step sign-in is told to the person by mail', async () => {
  const { admin, token, sudo, club } = await makeFixture(app)
  const { secret } = await setUpFactor(app, token)
  await app.call(securityApi.makeRecoveryCodes, {}, token)
  await app.call(securityApi.removeApp, {}, token)
  await app.call(securityApi.removeApp, {}, token)
  await setUpFactor(app, token)
  await app.call(securityApi.resetFactor, { payload: { clubId: club.id, id: admin.id } }, sudo.token)
  await app.finishMails()
  // Mails of the same moment have no order.
  expect(app.sent.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual(
    [
      'Your two-step sign-in was turned on',
      'New recovery codes were made',
      'Your two-step sign-in was turned off',
      'Your two-step sign-in was turned on',
      'Your two-step sign-in was turned off',
    ]
      .map((subject) => `${admin.email} ${subject}`)
      .sort(),
  )
  const count = (words: string) => app.sent.filter(({ text }) => text.includes(words)).length
  expect(count('takes a code of your app too')).toBe(2)
  expect(count('The previous ones no longer work')).toBe(1)
  expect(count('turned off in your profile')).toBe(1)
  expect(count('Somebody who may do so')).toBe(1)
  expect(JSON.stringify(app.sent)).not.toContain(secret)
})

test('at the daily limit of codes a recovery code works, and a reset forgets the wrong ones', async () => {
  const { admin, token, club, sudo } = await makeFixture(app)
  const { recoveryCodes } = await setUpFactor(app, token)
  for (let n = 0; n < 50; n++) {
    if (n % 8 === 0) pass(15 * MINUTE)
    await refusalOf(signIn(admin.email, '000000'), 'INVALID_INPUT')
  }
  pass(15 * MINUTE)
  await refusalOf(signIn(admin.email, '000000'), 'TOO_MANY_TRIES')
  await signIn(admin.email, recoveryCodes[0])
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, sudo.token)
  await app.call(securityApi.resetFactor, { payload: { clubId: club.id, id: admin.id } }, sudo.token)
  const fresh = await tokenFor(app, admin.id)
  const { secret } = await setUpFactor(app, fresh)
  await refusalOf(signIn(admin.email, '000000'), 'INVALID_INPUT')
  await signIn(admin.email, codeOf(app, secret))
})

test('new recovery codes are made five times an hour at the most', async () => {
  const { token } = await makeFixture(app)
  await setUpFactor(app, token)
  const make = () => app.call(securityApi.makeRecoveryCodes, {}, token)
  for (let n = 0; n < 5; n++) expect((await make()).recoveryCodes).toHaveLength(10)
  await refusalOf(make(), 'TOO_MANY_TRIES')
})

test('an app that was set up anew is not finished with the secret before', async () => {
  const { admin } = await makeFixture(app)
  const { db } = app.deps
  await saveSecret(db, admin.id, SECRET)
  const before = { userId: admin.id, secret: SECRET }
  await saveSecret(db, admin.id, `${SECRET}AAAAAAAA`)
  expect(await db.transaction().execute((tx) => finishApp(tx, before, app.clock.now))).toBe(false)
  await signIn(admin.email)
})

test('a sign-in in two steps takes back none of the tries that others made in the same network', async () => {
  const { admin, token } = await makeFixture(app)
  const { secret } = await setUpFactor(app, token)
  for (let n = 0; n < 3; n++) await refusalOf(signIn('nobody@example.org'), 'WRONG_CREDENTIALS')
  await refusalOf(signIn(admin.email), 'SECOND_FACTOR_NEEDED')
  await signIn(admin.email, codeOf(app, secret))
  const { rows } = await sql<{ count: number }>`
    select count from limit_counts where key like 'sign-in by network:%'
  `.execute(app.deps.db)
  expect(rows).toEqual([{ count: 4 }])
})

test('whoever is at the door when the club requires it goes on there for a night, and nowhere else', async () => {
  const { club, token, event } = await makeFixture(app)
  const { member, token: theirs } = await makeMember(app, { clubId: club.id, token }, 'manager')
  await setUpFactor(app, token)
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, token)
  pass(MINUTE)
  const later = await tokenFor(app, member.id)
  const read = (by: string) => app.call(doorApi.getDoorList, { eventId: event.id }, by)
  await read(theirs)
  const { id: registrationId } = await makeRegistration(app, event)
  const newCheckin = { registrationId, status: true }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, theirs)
  await refusalOf(app.call(eventApi.getAllEvents, { clubId: club.id }, theirs), 'SET_UP_SECOND_FACTOR')
  // As somebody with a helper pass: nothing else that a manager may.
  const registrationData = { name: 'Mine Now', email: '', phone: '', others: [] }
  const edit = { payload: { id: registrationId, eventId: event.id, registrationData, extrasIds: [] } }
  await refusalOf(app.call(attendeeApi.save, edit, theirs), 'NOT_ALLOWED')
  await refusalOf(read(later), 'SET_UP_SECOND_FACTOR')
  pass(12 * 60 * MINUTE)
  await refusalOf(read(theirs), 'SET_UP_SECOND_FACTOR')
})
