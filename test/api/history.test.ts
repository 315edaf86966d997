import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { HISTORY_PAGE, type HistoryEntry, historyApi } from '../../src/contract/history.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { languages } from '../../src/texts/generated/languages.ts'
import { actionsOf, type HistoryFilters, latestEntry, readHistory, readWholeHistory } from '../support/history.ts'
import { makeClub, makeEvent, makeFixture, makeMember, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('only owners and managers of the own club read it', async () => {
  const { club, token, sudo } = await makeFixture(app)
  const own = { clubId: club.id, token }
  for (const role of ['treasurer', 'door'] as const) {
    const { token: other } = await makeMember(app, own, role)
    for (const call of [historyApi.getHistory, historyApi.getPeople])
      await refusalOf(app.call(call, { clubId: club.id }, other), 'NOT_ALLOWED')
    const file = await app.raw(historyApi.downloadHistory, { clubId: club.id }, { authorization: other })
    expect(file.status).toBe(403)
  }
  const { token: manager } = await makeMember(app, own, 'manager')
  expect((await readHistory(app, manager, club.id)).entries.length).toBeGreaterThan(0)
  await refusalOf(readHistory(app, sudo.token, club.id), 'NOT_ALLOWED')
  const stranger = await makeClub(app, sudo.token)
  await refusalOf(readHistory(app, stranger.token, club.id), 'NOT_FOUND')
  const file = await app.raw(historyApi.downloadHistory, { clubId: club.id }, { authorization: stranger.token })
  expect(file.status).toBe(404)
})

test('a filter by another club’s event or person finds nothing', async () => {
  const { club, token, event, admin, sudo } = await makeFixture(app)
  const stranger = await makeClub(app, sudo.token)
  await makeEvent(app, stranger.token, { name: 'Elsewhere' })
  for (const filters of [{ eventId: event.id }, { by: String(admin.id) }])
    expect((await readHistory(app, stranger.token, stranger.club.id, filters)).entries).toEqual([])
  const all = JSON.stringify(await readWholeHistory(app, stranger.token, stranger.club.id))
  for (const foreign of [club.name, admin.fullName, 'Summer party']) expect(all).not.toContain(foreign)
  expect((await readHistory(app, token, club.id, { eventId: event.id })).entries).toHaveLength(1)
})

test('pages follow each other without gaps or doubles, also while more is changed, and filters combine', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  const other = await makeEvent(app, token, { name: 'Other' })
  const ids = await makeMany(app, event, 70)
  const many = { eventId: event.id, registrationIds: ids, action: 'check in' as const }
  await app.call(attendeeApi.changeMany, { payload: many }, token)
  const first = await readHistory(app, token, club.id, { subject: 'check-ins' })
  expect(first.entries).toHaveLength(HISTORY_PAGE)
  await app.call(
    checkinApi.save,
    { payload: { newCheckin: { registrationId: ids[0] ?? 0, status: false }, eventId: event.id } },
    token,
  )
  const second = await readHistory(app, token, club.id, { subject: 'check-ins', before: first.next ?? 0 })
  expect(second).toMatchObject({ next: null })
  const seen = [...first.entries, ...second.entries].map(({ id }) => id)
  expect(new Set(seen).size).toBe(70)
  expect(seen).toEqual([...seen].sort((a, b) => b - a))
  const filters = { by: String(admin.id), eventId: event.id, subject: 'check-ins' as const }
  expect(await readWholeHistory(app, token, club.id, filters)).toHaveLength(71)
  expect(await readWholeHistory(app, token, club.id, { ...filters, eventId: other.id })).toEqual([])
  expect(actionsOf(await readWholeHistory(app, token, club.id, { subject: 'events' }))).toEqual([
    'Event added',
    'Event added',
  ])
})

test('refunds are found as a subject of their own, with their amount', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  const { id } = await makeRegistration(app, event)
  await sql`insert into changes (at, club_id, user_id, subject, subject_id, action, after) values
    (now(), ${club.id}, ${admin.id}, 'registration', ${id}, 'refund', '{"amount": 1250}'),
    (now(), ${club.id}, ${admin.id}, 'registration', ${id}, 'refund', '{"amount": 1250, "currency": "jpy"}'),
    (now(), ${club.id}, ${admin.id}, 'event', ${event.id}, 'refunds tried again', '{"count": 2}'),
    (now(), ${club.id}, ${admin.id}, 'club', ${club.id}, 'unheard of', '{"secret": "x"}')`.execute(app.deps.db)
  expect(actionsOf(await readWholeHistory(app, token, club.id, { subject: 'money' }))).toEqual([
    '2 refunds tried again',
    'Refund asked for: JP¥1,250',
    'Refund asked for: €12.50',
  ])
  // What another version has logged.
  expect(await latestEntry(app, token, club.id)).toMatchObject({ action: 'Something was changed', changes: [] })
})

test('wrong filters are refused by their names', async () => {
  const { club, token } = await makeFixture(app)
  for (const [name, value] of Object.entries({
    by: 'nobody',
    eventId: '99999999999',
    subject: 'secrets',
    before: '-1',
  })) {
    const answer = await app.raw(historyApi.getHistory, { clubId: club.id, [name]: value }, { authorization: token })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: [{ path: name }] })
  }
})

test('the spreadsheet has all that the filters find, as text', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  await app.call(eventApi.save, { id: event.id, name: '=HYPERLINK("evil")', maxAttendees: 5 }, token)
  const ids = await makeMany(app, event, 5)
  const many = { eventId: event.id, registrationIds: ids, action: 'check in' as const }
  await app.call(attendeeApi.changeMany, { payload: many }, token)
  const get = (filters: HistoryFilters) =>
    app.raw(historyApi.downloadHistory, { clubId: club.id, ...filters }, { authorization: token })
  const response = await get({ subject: 'events' })
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="History-club-${club.id}-20261120T190000.xlsx"`,
  )
  const rowsOf = async (answer: Response) =>
    (await readXlsx(Buffer.from(await answer.arrayBuffer()))).sheets[0]?.rows ?? []
  const rows = await rowsOf(response)
  expect(rows[0]).toEqual(['When', 'Who', 'What', 'Whom or what', 'Event', 'Before', 'After'])
  expect(rows[1]).toEqual([
    new Date('2026-11-20T19:00:00.000Z'),
    admin.fullName,
    'Event edited',
    null,
    '=HYPERLINK("evil")',
    'Name: Summer party; Capacity: No limit',
    'Name: =HYPERLINK("evil"); Capacity: 5',
  ])
  expect(rows).toHaveLength(3)
  expect(await rowsOf(await get({ subject: 'check-ins' }))).toHaveLength(6)
  expect(await rowsOf(await get({ by: 'operator' }))).toHaveLength(3)
})

test('a long history is exported to its end', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  await sql`insert into changes (at, club_id, user_id, subject, subject_id, action)
    select now(), ${club.id}, ${admin.id}, 'event', ${event.id}, 'edited' from generate_series(1, 2500)`.execute(
    app.deps.db,
  )
  const answer = await app.raw(
    historyApi.downloadHistory,
    { clubId: club.id, eventId: event.id },
    { authorization: token },
  )
  const rows = (await readXlsx(Buffer.from(await answer.arrayBuffer()))).sheets[0]?.rows ?? []
  expect(rows).toHaveLength(2_502)
})

test('it is in the language of whoever reads it', async () => {
  const { club, token, event } = await makeFixture(app)
  await app.call(eventApi.save, { id: event.id, maxAttendees: 5 }, token)
  const titles = new Set<string>()
  for (const language of languages) {
    const headers = { authorization: token, 'accept-language': language }
    const answer = await app.raw(historyApi.getHistory, { clubId: club.id }, headers)
    const { payload } = (await answer.json()) as { payload: { entries: HistoryEntry[] } } // As the contract has it.
    titles.add(payload.entries[0]?.changes[0]?.before ?? '')
  }
  expect(titles).toEqual(new Set(['No limit', 'Unbegrenzt', 'Sans limite', 'Senza limite', 'Sin límite']))
})

test('the timeline of an attendee names who has left the team', async () => {
  const { club, token, event } = await makeFixture(app)
  const { member, token: ofMember } = await makeMember(app, { clubId: club.id, token }, 'manager')
  const ticket = await makeRegistration(app, event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), ofMember)
  await app.call(appUserApi.removeAppUser, { appUserId: member.id, clubId: club.id }, token)
  const timeline = await app.call(attendeeApi.getTimeline, { registrationId: ticket.id, eventId: event.id }, token)
  expect(timeline.find(({ kind }) => kind === 'checkin')).toMatchObject({ by: member.fullName })
})

test('a club is removed with its history and the names in it', async () => {
  const { club, token, sudo, admin } = await makeFixture(app)
  const { member } = await makeMember(app, { clubId: club.id, token }, 'manager')
  await app.call(appUserApi.removeAppUser, { appUserId: member.id, clubId: club.id }, token)
  await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
  await app.finishMails()
  const { db } = app.deps
  for (const table of ['changes', 'formerUsers'] as const)
    expect(await db.selectFrom(table).select('id').where('clubId', '=', club.id).execute()).toEqual([])
  const named = await db.selectFrom('formerUsers').select('id').where('id', 'in', [member.id, admin.id]).execute()
  expect(named).toEqual([])
})
