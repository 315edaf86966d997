import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { listClubs } from '../../src/server/clubs/queries.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const DAY_MS = 24 * 60 * 60_000

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

test('a club signs up with a currency and time zone that its events can have, or gets an error for the wrong one', async () => {
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

test('removing a club removes everything of it, and nothing of another', async () => {
  const { sudo, club, event, token } = await makeFixture(app)
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

test('the operator sees how each club is doing, apart from the others', async () => {
  const { sudo, club, event, token } = await makeFixture(app, { maxAttendees: 2 })
  const other = await makeClub(app, sudo.token)
  await makeRegistration(app, event)
  await makeRegistration(app, event)
  await app.deps.db.updateTable('mails').set({ status: 'failed' }).execute()
  const later = { startsAt: new Date('2027-01-08T18:00:00Z'), endsAt: new Date('2027-01-08T22:00:00Z') }
  await makeEvent(app, token, { name: 'Later', ...later })
  const healthOf = async (clubId: number) =>
    (await app.call(clubApi.getAllClubs, {}, sudo.token)).find(({ id }) => id === clubId)
  const nextEvent = { name: event.name, startsAt: event.startsAt }
  // One that is full, and one whose mails failed.
  expect(await healthOf(club.id)).toMatchObject({ nextEvent, recentCount: 2, failedMailCount: 2, needCount: 2 })
  const nothing = { nextEvent: null, recentCount: 0, failedMailCount: 0, needCount: 0 }
  expect(await healthOf(other.club.id)).toMatchObject(nothing)

  await refusalOf(app.call(clubApi.getAllClubs, {}, token), 'NOT_ALLOWED')

  // No session lasts until then.
  const now = new Date(event.endsAt.getTime() + 31 * DAY_MS)
  const inJanuary = { now, soon: new Date(now.getTime() + 7 * DAY_MS), recently: new Date(now.getTime() - 30 * DAY_MS) }
  const [, first] = await listClubs(app.deps.db, inJanuary)
  const after = { id: club.id, nextEvent: { name: 'Later' }, recentCount: 0, failedMailCount: 0, needCount: 0 }
  expect(first).toMatchObject(after)
})

test('a club’s alerts list mails that failed, drafts that start soon, and full events', async () => {
  const { event, club, token } = await makeFixture(app, { maxAttendees: 1 })
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

test('visitors find the clubs that want to be found, by a part of their name or place, and no others', async () => {
  const { sudo, club, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const find = async (name = '') => (await app.call(clubApi.findClubs, { name })).map(({ id }) => id)
  expect(await find()).toEqual([])
  await app.call(clubApi.save, { id: club.id, name: 'Élan Rowing', location: 'Łódź', listed: true }, token)
  await app.call(clubApi.save, { id: other.club.id, name: 'Bay Sailing', listed: true }, other.token)
  expect(await find()).toEqual([other.club.id, club.id])
  expect(await find('ELAN')).toEqual([club.id])
  expect(await find('lodz')).toEqual([club.id])
  expect(await find('nothing')).toEqual([])
  await app.call(clubApi.removeClub, { clubId: other.club.id }, sudo.token)
  expect(await find('')).toEqual([club.id])
  await app.call(clubApi.save, { id: club.id, listed: false }, token)
  expect(await find('elan')).toEqual([])
})

test('the sitemap has the clubs that want to be found and their published events to come', async () => {
  const { club, event, token } = await makeFixture(app)
  const { baseUrl } = app.deps.settings
  const addresses = async () =>
    [...(await (await fetch(`${app.url}/sitemap.xml`)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  expect(await addresses()).toEqual([`${baseUrl}/`, `${baseUrl}/clubs`])
  await app.call(clubApi.save, { id: club.id, listed: true }, token)
  await makeEvent(app, token, { status: 'draft' })
  expect((await addresses()).slice(2)).toEqual([
    `${baseUrl}/club/${club.id}/event`,
    `${baseUrl}/club/${club.id}/event/${event.id}`,
  ])
  const robots = await (await fetch(`${app.url}/robots.txt`)).text()
  expect(robots).toContain('Disallow: /api/')
  expect(robots).toContain(`Sitemap: ${baseUrl}/sitemap.xml`)
})

test('a club’s colour makes a style sheet whose colours can be read; anything else is not found', async () => {
  const { club, token } = await makeFixture(app)
  const saved = await app.call(clubApi.save, { id: club.id, colour: '#F59E0B' }, token)
  expect(saved.colour).toBe('#f59e0b')
  await refusalOf(app.call(clubApi.save, { id: club.id, colour: 'orange' }, token), 'INVALID_INPUT')
  const sheet = await fetch(`${app.url}/colours/f59e0b.css`)
  expect(sheet.headers.get('content-type')).toContain('text/css')
  expect(sheet.headers.get('cache-control')).toContain('immutable')
  // Darker than the colour itself, on which white text cannot be read.
  const [, primary] = /--primary:(#[\da-f]{6})/.exec(await sheet.text()) ?? []
  expect(primary).not.toBe('#f59e0b')
  for (const name of ['orange.css', 'f59e0b', 'f59e0b.css.map'])
    expect((await fetch(`${app.url}/colours/${name}`)).status).toBe(404)
})
