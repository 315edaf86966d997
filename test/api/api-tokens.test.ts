import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiTokenApi, MOST_TOKENS, tokenPermissionsOf } from '../../src/contract/api-tokens.ts'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { eventApi } from '../../src/contract/events.ts'
import { passApi } from '../../src/contract/passes.ts'
import type { TeamRole } from '../../src/contract/permissions.ts'
import { securityApi } from '../../src/contract/security.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import { readHistory } from '../support/history.ts'
import {
  makeApiToken,
  makeEvent,
  makeFixture,
  makeMember,
  makeRegistration,
  PASSWORD,
  scanOf,
  tokenFor,
} from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { setUpFactor } from '../support/second-factor.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const DAY = 24 * 60 * 60_000
let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

function later(ms: number): void {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

const list = (session: string) => app.call(apiTokenApi.getTokens, {}, session)

test('a token is shown once, is stored as a hash, and works until it is revoked', async () => {
  const { club, token: session, sudo } = await makeFixture(app)
  const { apiToken, token } = await makeApiToken(app, session, { permissions: ['member', 'read'] })
  expect(token).toMatch(/^tnt_[\w-]{43}$/)
  expect(apiToken).toMatchObject({ name: 'Website', start: token.slice(0, 12), permissions: ['member', 'read'] })
  expect(apiToken.expiresAt).toEqual(new Date(app.clock.now.getTime() + 90 * DAY))
  const stored = JSON.stringify(await app.deps.db.selectFrom('apiTokens').selectAll().execute())
  const listed = await app.raw(apiTokenApi.getTokens, {}, { authorization: session })
  const text = await listed.text()
  for (const shown of [stored, text]) expect(shown).not.toContain(token)
  expect(text).not.toContain('Hash')
  expect((await list(session)).tokens).toMatchObject([{ id: apiToken.id, lastUsedAt: null }])

  expect(await app.call(eventApi.getAllEvents, { clubId: club.id }, token)).toHaveLength(1)
  const usedAt = app.clock.now
  later(10 * 60_000)
  await app.call(authApi.getCurrentUser, {}, token)
  // Written once an hour.
  expect((await list(session)).tokens[0]?.lastUsedAt).toEqual(usedAt)

  await refusalOf(app.call(apiTokenApi.revokeToken, { payload: { id: apiToken.id } }, sudo.token), 'NOT_FOUND')
  await app.call(apiTokenApi.revokeToken, { payload: { id: apiToken.id } }, session)
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  expect((await list(session)).tokens).toEqual([])
})

test('a token allows what was chosen, as far as the person’s role still allows it', async () => {
  const { club, event, token: owner } = await makeFixture(app)
  const { member, token: session } = await makeMember(app, { clubId: club.id, token: owner }, 'manager')
  const { token } = await makeApiToken(app, session, { permissions: ['read', 'attendees'] })
  const attendee = await makeRegistration(app, event)
  const read = () =>
    app.call(attendeeApi.getAttendees, { eventId: event.id, searchKeyword: '', sortBy: 'name', limit: 10 }, token)
  const cancel = () =>
    app.call(attendeeApi.updateStatus, { payload: { id: attendee.id, eventId: event.id, status: 'cancelled' } }, token)
  await read()
  const refused = await refusalOf(app.call(eventApi.getAllEvents, { clubId: club.id }, token), 'NOT_ALLOWED')
  expect(refused.message).toContain('“member”')

  const change = (teamRole: TeamRole) => {
    const { id, fullName, email } = member
    return app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id, teamRole } }, owner)
  }
  await change('treasurer')
  await read()
  await refusalOf(cancel(), 'NOT_ALLOWED')
  expect((await list(session)).tokens).toMatchObject([{ permissions: ['read'] }])
  await change('door')
  await refusalOf(read(), 'NOT_ALLOWED')
  await change('manager')
  await cancel()
  await app.call(appUserApi.removeAppUser, { appUserId: member.id, clubId: club.id }, owner)
  await refusalOf(read(), 'SIGN_IN_NEEDED')
})

test('nobody makes a token that may more than they, and door helpers and the operator make none', async () => {
  const { club, token: owner, sudo } = await makeFixture(app)
  const own = { clubId: club.id, token: owner }
  const { token: treasurer } = await makeMember(app, own, 'treasurer')
  await refusalOf(makeApiToken(app, treasurer, { permissions: ['read', 'events'] }), 'NOT_ALLOWED')
  await makeApiToken(app, treasurer, { permissions: tokenPermissionsOf('treasurer') })
  const { token: helper } = await makeMember(app, own, 'door')
  for (const session of [helper, sudo.token]) {
    expect((await list(session)).permissions).toEqual([])
    await refusalOf(makeApiToken(app, session, { permissions: ['door'] }), 'NOT_ALLOWED')
  }
  // Nothing about the team, also not for an owner.
  const team = { payload: { name: 'Team', permissions: ['team'], days: 90 } }
  expect((await app.raw(apiTokenApi.makeToken, team, { authorization: owner })).status).toBe(422)
})

test('making one needs a fresh sign-in', async () => {
  const { token } = await makeFixture(app)
  later(15 * 60_000)
  await refusalOf(makeApiToken(app, token), 'CONFIRM_IDENTITY')
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, token)
  await makeApiToken(app, token)
})

test('a token ends on its day, and stays in the list for a month', async () => {
  const { token: session } = await makeFixture(app)
  const { token } = await makeApiToken(app, session, { days: 30 })
  const hasSome = async () => {
    await sweepSignIns(app.deps)
    return (await app.deps.db.selectFrom('apiTokens').select('id').execute()).length > 0
  }
  later(30 * DAY - 1)
  await app.call(authApi.getCurrentUser, {}, token)
  later(1)
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  later(30 * DAY - 1)
  expect(await hasSome()).toBe(true)
  later(1)
  expect(await hasSome()).toBe(false)
})

test('somebody has at most twenty valid tokens, also when they are made at the same moment', async () => {
  const { token } = await makeFixture(app)
  const made = Array.from({ length: MOST_TOKENS + 5 }, () => makeApiToken(app, token, { days: 30 }))
  expect(await countOutcomes(made)).toEqual({ ok: 20, TOO_MANY_TOKENS: 5 })
  later(29 * DAY)
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, token)
  await refusalOf(makeApiToken(app, token), 'TOO_MANY_TOKENS')
  later(2 * DAY)
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, token)
  await makeApiToken(app, token)
})

test('a token changes nothing about sign-in, sessions, the team and passes, and the refusal says why', async () => {
  const { admin, club, event, token: session } = await makeFixture(app)
  const { token } = await makeApiToken(app, session, { permissions: tokenPermissionsOf('owner') })
  const { id, fullName, email } = admin
  const save = app.call(appUserApi.save, { payload: { id, fullName, email, clubId: club.id } }, token)
  expect((await refusalOf(save, 'NOT_FOR_TOKENS')).message).toContain('fresh sign-in')
  await refusalOf(app.call(apiTokenApi.getTokens, {}, token), 'NOT_FOR_TOKENS')
  await refusalOf(makeApiToken(app, token), 'NOT_FOR_TOKENS')
  await refusalOf(app.call(authApi.endOtherSessions, {}, token), 'NOT_FOR_TOKENS')
  await refusalOf(app.call(appUserApi.getAppUsers, { clubId: club.id }, token), 'NOT_ALLOWED')
  const pass = { eventId: event.id, key: crypto.randomUUID(), name: 'Hal', may: ['tickets' as const], phones: 1 }
  await refusalOf(app.call(passApi.makePass, { payload: pass }, token), 'NOT_FOR_TOKENS')
})

test('where the club requires a second factor, tokens of those without one wait', async () => {
  const { club, token: session } = await makeFixture(app)
  const { token } = await makeApiToken(app, session, { permissions: ['member'] })
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, session)
  await refusalOf(app.call(eventApi.getAllEvents, { clubId: club.id }, token), 'SET_UP_SECOND_FACTOR')
})

test('the history names the token, also of what is decided together with others', async () => {
  const { admin, club, event, token: session } = await makeFixture(app)
  const permissions = tokenPermissionsOf('owner')
  const { token: website } = await makeApiToken(app, session, { name: 'Website', permissions })
  const { apiToken, token: till } = await makeApiToken(app, session, { name: 'Till', permissions })
  const tickets = await Promise.all(Array.from({ length: 6 }, () => makeRegistration(app, event)))
  await Promise.all(
    tickets.map((ticket, n) =>
      app.call(checkinApi.scanByRegistrationId, scanOf(ticket), [session, website, till][n % 3] ?? ''),
    ),
  )
  await Promise.all(
    [session, website, till].map((by, n) =>
      app.call(
        attendeeApi.save,
        {
          payload: {
            eventId: event.id,
            registrationData: { name: `Added ${n}`, email: '', phone: '', others: [] },
            extrasIds: [],
          },
        },
        by,
      ),
    ),
  )
  const [first] = tickets
  const payload = { id: first?.id ?? 0, eventId: event.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload }, website)
  await app.call(apiTokenApi.revokeToken, { payload: { id: apiToken.id } }, session)

  const { entries } = await readHistory(app, session, club.id)
  const person = admin.fullName
  const byOf = (action: string) => entries.filter((entry) => entry.action === action).map(({ by }) => by)
  const [withWebsite, withTill] = [`${person} (API token “Website”)`, `${person} (API token “Till”)`]
  expect(byOf('Checked in').sort()).toEqual([person, person, withTill, withTill, withWebsite, withWebsite])
  expect(byOf('Attendee added').sort()).toEqual([person, withTill, withWebsite])
  expect(byOf('Registration cancelled')).toEqual([withWebsite])
  expect(byOf('API token “Till” made')).toEqual([person])
  expect(byOf('API token “Till” revoked')).toEqual([person])
})

test('a password that is changed or reset ends the tokens', async () => {
  const { admin, club, token: session, sudo } = await makeFixture(app)
  const first = await makeApiToken(app, session)
  const { id, fullName, email } = admin
  const own = { id, fullName, email, clubId: club.id, password: 'another horse 2', currentPassword: PASSWORD }
  await app.call(appUserApi.save, { payload: own }, session)
  await refusalOf(app.call(authApi.getCurrentUser, {}, first.token), 'SIGN_IN_NEEDED')
  const { token } = await makeApiToken(app, session)
  await app.call(
    appUserApi.save,
    { payload: { id, fullName, email, clubId: club.id, resetPassword: true } },
    sudo.token,
  )
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
})

test('a token makes so many calls in a minute, and others go on', async () => {
  const { token: session } = await makeFixture(app)
  const { token } = await makeApiToken(app, session)
  const { token: other } = await makeApiToken(app, session)
  const ask = (by: string) => app.call(authApi.getCurrentUser, {}, by)
  for (let n = 0; n < 30; n++) await Promise.all(Array.from({ length: 20 }, () => ask(token)))
  await refusalOf(ask(token), 'TOO_MANY_TRIES')
  await ask(other)
  await ask(session)
  later(61_000)
  await ask(token)
})

test('turning on two-step sign-in ends the tokens made without it, and none is made before it is set up', async () => {
  const { club, token: owner } = await makeFixture(app)
  const { token: session } = await makeMember(app, { clubId: club.id, token: owner }, 'manager')
  const { token } = await makeApiToken(app, session)
  await setUpFactor(app, owner)
  await app.call(securityApi.requireFactor, { payload: { clubId: club.id, isRequired: true } }, owner)
  await refusalOf(makeApiToken(app, session), 'SET_UP_SECOND_FACTOR')
  await setUpFactor(app, session)
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  await makeApiToken(app, session)
})

test('a token that is made while the password is reset does not outlive the reset', async () => {
  const { admin, club, token: session, sudo } = await makeFixture(app)
  const { id, fullName, email } = admin
  const reset = { payload: { id, fullName, email, clubId: club.id, resetPassword: true } }
  for (let round = 0; round < 5; round++) {
    const own = round === 0 ? session : await tokenFor(app, id)
    const [, made] = await Promise.allSettled([app.call(appUserApi.save, reset, sudo.token), makeApiToken(app, own)])
    if (made.status === 'rejected') expect(made.reason).toMatchObject({ code: 'SIGN_IN_NEEDED' })
    expect(await app.deps.db.selectFrom('apiTokens').select('id').execute()).toEqual([])
  }
})

test('a new token is told to its person by mail, which does not contain it', async () => {
  const { admin, token: session } = await makeFixture(app)
  const { token } = await makeApiToken(app, session)
  await app.finishMails()
  expect(app.sent).toMatchObject([{ to: admin.email, subject: 'A new API token was made' }])
  expect(JSON.stringify(app.sent)).not.toContain(token.slice(4))
})

test('a token that may not read sees no draft', async () => {
  const { club, token: session } = await makeFixture(app)
  const draft = await makeEvent(app, session, { status: 'draft' })
  const see = (token: string) => app.call(eventApi.getEvent, { eventId: draft.id }, token)
  const { token: reader } = await makeApiToken(app, session, { permissions: ['read'] })
  const { token: door } = await makeApiToken(app, session, { permissions: ['member', 'door'] })
  expect(await see(reader)).toMatchObject({ clubId: club.id })
  await refusalOf(see(door), 'NOT_FOUND')
})
