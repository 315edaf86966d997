import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { pageApi, pageTypes } from '../../src/contract/pages.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeClub, makeEvent, makeRegistration, makeWorld, PASSWORD } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const person = { fullName: 'Nia New', email: 'nia@example.org', password: 'battery staple 2', clubName: 'New Club' }

test('a club signs itself up: club and first admin together, signed in at once', async () => {
  const response = await app.raw(authApi.register, person)
  const token = response.headers.get('authorization') ?? ''
  const { currentUser } = (await response.json()).payload
  expect(currentUser).toMatchObject({ role: 'admin', fullName: 'Nia New', clubName: 'New Club' })
  expect(await app.call(authApi.getCurrentUser, {}, token)).toEqual(currentUser)
  await makeEvent(app, token)
})

test('a club signs up with a currency and time zone that its events can have, or hears which is wrong', async () => {
  for (const [field, value] of [
    ['currency', 'zzz'],
    ['timeZone', 'Mars/Olympus'],
  ] as const) {
    const answer = await app.raw(authApi.register, { ...person, [field]: value })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toMatchObject([{ path: field }])
  }
})

test('signing up twice at once makes one club; a taken address makes none', async () => {
  const up = () => app.call(authApi.register, person)
  expect(await countOutcomes([up(), up(), up()])).toEqual({ ok: 1, EMAIL_TAKEN: 2 })
  const clubs = await app.deps.db.selectFrom('clubs').selectAll().execute()
  expect(clubs).toHaveLength(1)
})

test('the operator can close sign-up, and a password that everybody uses is refused', async () => {
  await refusalOf(app.call(authApi.register, { ...person, password: 'password1' }), 'INVALID_INPUT')
  const closed = await startApp({ settings: { signUp: false } })
  await refusalOf(closed.call(authApi.register, person), 'SIGNUP_CLOSED')
  await closed.stop()
})

test('who forgot the password gets a link that works once, for 30 minutes, and ends every session', async () => {
  const { admin, token } = await makeWorld(app)
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
  const { sudo, admin, club } = await makeWorld(app)
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

test('tries at links, and at one’s own current password, are limited', async () => {
  const { admin, club, token } = await makeWorld(app)
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
  const { admin } = await makeWorld(app)
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
  const { admin, sudo } = await makeWorld(app)
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
  const { admin } = await makeWorld(app)
  let stranger = 0
  const ask = (address: string) =>
    app.raw(authApi.forgotPassword, { email: admin.email }, { 'x-forwarded-for': address })
  const MINUTE = 60_000
  const start = app.clock.now.getTime()
  let lastLink = 0
  // Two hours in which somebody asks every minute, each time from another address.
  for (let minute = 0; minute < 120; minute++) {
    app.clock.now = new Date(start + minute * MINUTE)
    const before = app.sent.length
    expect((await ask(`198.51.100.${++stranger}`)).status).toBe(200)
    await app.finishMails()
    if (app.sent.length > before) lastLink = minute
    // A link works for 30 minutes.
    expect(minute - lastLink).toBeLessThanOrEqual(25)
  }
  expect(app.sent.length).toBeLessThan(14)
  expect((await ask('203.0.113.5')).status).toBe(200)
  const token = /\/reset-password#([\w-]{43})/.exec(app.sent.at(-1)?.text ?? '')?.[1] ?? ''
  await app.call(authApi.resetPassword, { token, password: 'battery staple 2' })
})

test('links asked for at the same moment from many places are three', async () => {
  const { admin } = await makeWorld(app)
  const asks = Array.from({ length: 8 }, (_, n) =>
    app.raw(authApi.forgotPassword, { email: admin.email }, { 'x-forwarded-for': `198.51.100.${n}` }),
  )
  for (const { status } of await Promise.all(asks)) expect(status).toBe(200)
  await app.finishMails()
  expect(app.sent).toHaveLength(3)
})

test('asking for a link says the same whether or not the address is known, and not too often', async () => {
  const { admin } = await makeWorld(app)
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

test('an admin is removed with their sessions, by the operator or a colleague, never by themselves or a stranger', async () => {
  const { sudo, club, admin, token } = await makeWorld(app)
  const other = await makeClub(app, sudo.token)
  const remove = (appUserId: number, clubId: number, by: string) =>
    app.call(appUserApi.removeAppUser, { appUserId, clubId }, by)
  await refusalOf(remove(admin.id, club.id, token), 'NOT_ALLOWED')
  await refusalOf(remove(admin.id, other.club.id, other.token), 'NOT_FOUND')
  await refusalOf(remove(admin.id, club.id, other.token), 'NOT_FOUND')
  await refusalOf(remove(sudo.id, club.id, sudo.token), 'NOT_ALLOWED')
  expect(await remove(admin.id, club.id, sudo.token)).toMatchObject({ id: admin.id })
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  expect((await app.raw(authApi.signin, { email: admin.email, password: PASSWORD })).status).toBe(401)
})

test('two who edit at once: the second is told, and nothing of the first is overwritten', async () => {
  const { event, club, token } = await makeWorld(app)
  await app.call(eventApi.save, { id: event.id, version: event.version, name: 'First' }, token)
  await refusalOf(
    app.call(eventApi.save, { id: event.id, version: event.version, name: 'Second' }, token),
    'EDIT_CONFLICT',
  )
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({
    name: 'First',
    version: event.version + 1,
  })
  const save = (name: string) => app.call(clubApi.save, { id: club.id, version: club.version, name }, token)
  expect(await countOutcomes([save('A'), save('B'), save('C')])).toEqual({ ok: 1, EDIT_CONFLICT: 2 })
})

test('a registration does not count as an edit of its event', async () => {
  const { event, token } = await makeWorld(app)
  await makeRegistration(app, event)
  await app.call(eventApi.save, { id: event.id, version: event.version, name: 'Still mine' }, token)
})

test('a club goes with everything of it, and with nothing of another', async () => {
  const { sudo, club, event, token } = await makeWorld(app)
  const other = await makeClub(app, sudo.token)
  const kept = await makeRegistration(app, await makeEvent(app, other.token))
  await makeRegistration(app, event)
  expect((await app.call(clubApi.getAllClubs, {}, sudo.token)).find(({ id }) => id === club.id)).toMatchObject({
    eventCount: 1,
    adminCount: 1,
    registrationCount: 1,
  })
  await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
  await refusalOf(app.call(clubApi.removeClub, { clubId: club.id }, sudo.token), 'NOT_FOUND')
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  await app.finishMails()
  const left = await app.deps.db.selectFrom('registrations').select('id').execute()
  expect(left).toEqual([{ id: kept.id }])
})

test('an event is removed with its registrations, unless somebody paid', async () => {
  const { event, token } = await makeWorld(app)
  const { id } = await makeRegistration(app, event)
  const paid = (amount: number) =>
    app.deps.db.updateTable('registrations').set({ amount }).where('id', '=', id).execute()
  await paid(500)
  await refusalOf(app.call(eventApi.removeEvent, { eventId: event.id }, token), 'HAS_PAID')
  await paid(0)
  expect(await app.call(eventApi.removeEvent, { eventId: event.id }, token)).toMatchObject({ id: event.id })
  await refusalOf(app.call(eventApi.getEvent, { eventId: event.id }, token), 'NOT_FOUND')
})

test('what needs somebody is listed: mails that failed, drafts that start soon, full events', async () => {
  const { event, club, token } = await makeWorld(app, { maxAttendees: 1 })
  await makeRegistration(app, event)
  const soon = await makeEvent(app, token, { status: 'draft', name: 'Soon' })
  await app.deps.db.updateTable('mails').set({ status: 'failed' }).execute()
  const needs = await app.call(clubApi.getNeeds, { clubId: club.id }, token)
  expect(needs).toEqual([
    { kind: 'mails failed', eventId: event.id, eventName: event.name, count: 1 },
    { kind: 'event full', eventId: event.id, eventName: event.name, count: 1 },
    { kind: 'draft soon', eventId: soon.id, eventName: 'Soon', count: 1 },
  ])
})

test('the static pages say who runs the site, and the operator can put a text of their own', async () => {
  const { sudo, token } = await makeWorld(app)
  for (const type of pageTypes) {
    const page = await app.call(pageApi.getPage, { type })
    expect(page).toMatchObject({ type, updatedAt: null })
    expect(page.bodyHtml).toContain('<h2>Contact</h2>')
  }
  await refusalOf(app.call(pageApi.getPage, { type: 'imprint' }), 'NOT_FOUND')
  await refusalOf(app.call(pageApi.save, { type: 'terms', body: 'Mine' }, token), 'NOT_ALLOWED')
  const own = await app.call(pageApi.save, { type: 'terms', body: '**Ours** <script>alert(1)</script>' }, sudo.token)
  expect(own).toMatchObject({
    bodyHtml: '<p><strong>Ours</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>',
    updatedAt: app.clock.now,
  })
  await app.call(pageApi.save, { type: 'terms', body: '' }, sudo.token)
  expect(await app.call(pageApi.getPage, { type: 'terms' })).toMatchObject({ updatedAt: null })
})
