import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { HISTORY_PAGE, type HistoryEntry, historyApi } from '../../src/contract/history.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { languages } from '../../src/texts/generated/languages.ts'
import { makeClub, makeEvent, makeExtras, makeFixture, makeMember, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

type Filters = Omit<Input<typeof historyApi.getHistory>, 'clubId'>

const read = (token: string, clubId: number, filters: Filters = {}) =>
  app.call(historyApi.getHistory, { clubId, ...filters }, token)

const latest = async (token: string, clubId: number): Promise<HistoryEntry> => {
  const [first] = (await read(token, clubId)).entries
  if (!first) throw new Error('The history is empty.')
  return first
}

/** All pages. */
async function readAll(token: string, clubId: number, filters: Filters = {}): Promise<HistoryEntry[]> {
  const { entries, next } = await read(token, clubId, filters)
  return next === null ? entries : [...entries, ...(await readAll(token, clubId, { ...filters, before: next }))]
}

const actions = (entries: readonly HistoryEntry[]) => entries.map(({ action }) => action)

test('an edit of an event is told in words, with what was before', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  await app.call(
    eventApi.save,
    {
      id: event.id,
      name: 'Winter party',
      maxAttendees: 80,
      description: 'With **music**',
      registrationClosesAt: new Date('2026-11-26T17:30:00.000Z'),
    },
    token,
  )
  expect(await latest(token, club.id)).toMatchObject({
    by: admin.fullName,
    action: 'Event edited',
    about: '',
    event: { id: event.id, name: 'Winter party', isThere: true },
    at: app.clock.now,
    changes: [
      { field: 'Name', before: 'Summer party', after: 'Winter party' },
      { field: 'Capacity', before: 'no limit', after: '80' },
      { field: 'Registration closes', before: 'not set', after: '26/11/2026 18:30' },
      { field: 'Description', before: null, after: null },
    ],
  })
  await app.call(eventApi.save, { id: event.id, status: 'cancelled' }, token)
  expect(await latest(token, club.id)).toMatchObject({
    action: 'Event cancelled',
    changes: [{ field: 'Status', before: 'published', after: 'cancelled' }],
  })
  await app.call(eventApi.removeEvent, { eventId: event.id }, token)
  expect(await latest(token, club.id)).toMatchObject({
    action: 'Event removed',
    event: { name: 'Winter party', isThere: false },
  })
  await app.finishMails()
  const entries = await readAll(token, club.id, { eventId: event.id })
  expect(actions(entries)).toEqual(['Event removed', 'Event cancelled', 'Event edited', 'Event added'])
  expect(new Set(entries.map((entry) => entry.event?.name))).toEqual(new Set(['Winter party']))
})

test('vouchers, forms and their questions are told in words', async () => {
  const { club, token, event } = await makeFixture(app)
  const voucher = { name: 'Drinks', price: 0, content: [{ name: 'Drink', quantity: 3 }] }
  const { id } = await makeExtras(app, token, event.id, voucher)
  const payload = { id, eventId: event.id, name: 'Drinks', description: 'Cold', price: 0, content: [], maxQuantity: 40 }
  await app.call(extrasApi.saveExtras, { payload }, token)
  const edited = await latest(token, club.id)
  expect(edited).toMatchObject({ action: 'Voucher edited', about: 'Drinks', event: { name: 'Summer party' } })
  expect(edited.changes).toEqual([
    { field: 'What it includes', before: '3 × Drink', after: 'empty' },
    { field: 'How many', before: 'no limit', after: '40' },
    { field: 'Description', before: null, after: null },
  ])
  await app.call(extrasApi.removeExtras, { extrasId: id, eventId: event.id }, token)
  expect(await latest(token, club.id)).toMatchObject({ action: 'Voucher taken off sale', about: 'Drinks' })

  const save = (formQuestions: Input<typeof formApi.save>['payload']['formQuestions'], rmQIds: number[] = []) =>
    app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds, phoneField: 'off' } }, token)
  const shirt = { typeId: 4, text: 'T-shirt', required: false, options: ['S', 'M'] }
  const [first, second] = await save([shirt, { typeId: 0, text: 'Meal', required: false, options: [] }])
  const asked = await latest(token, club.id)
  expect(asked).toMatchObject({ action: 'Registration form edited', event: { id: event.id } })
  expect(asked.changes).toEqual([
    { field: 'Phone number', before: 'required', after: 'not asked' },
    { field: 'New question', before: null, after: 'T-shirt' },
    { field: 'New question', before: null, after: 'Meal' },
  ])
  await save([{ ...shirt, id: first?.id, required: true, options: ['S', 'M', 'L'] }], [second?.id ?? 0])
  expect((await latest(token, club.id)).changes).toEqual([
    { field: 'Answer required (“T-shirt”)', before: 'no', after: 'yes' },
    { field: 'Options (“T-shirt”)', before: 'S, M', after: 'S, M, L' },
    { field: 'Question removed', before: 'Meal', after: null },
  ])
})

test('what staff do with attendees is in it, and neither what visitors do nor any personal data or secret', async () => {
  const { club, token, event } = await makeFixture(app)
  const drinks = await makeExtras(app, token, event.id)
  const before = (await readAll(token, club.id)).length
  const ticket = await makeRegistration(app, event, { name: 'Vera Visitor', email: 'vera@secret.example' })
  expect(await readAll(token, club.id)).toHaveLength(before)
  const { id, qrUuid } = ticket
  const data = { name: 'Vera Visitor', email: 'other@secret.example', phone: '+49 30 7654321', others: [] }
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
  await app.call(
    checkinApi.save,
    { payload: { newCheckin: { registrationId: id, status: false }, eventId: event.id } },
    token,
  )
  const payload = { id, eventId: event.id, registrationData: data, extrasIds: [drinks.id, drinks.id] }
  await app.call(attendeeApi.save, { payload }, token)
  await app.call(attendeeApi.sendTicket, { registrationId: id, eventId: event.id }, token)
  await app.call(attendeeApi.updateStatus, { payload: { id, eventId: event.id, status: 'cancelled' } }, token)
  const entries = (await readAll(token, club.id)).slice(0, 6)
  expect(actions(entries)).toEqual([
    'Registration cancelled',
    'Ticket sent again',
    'Registration corrected',
    'Vouchers given out: 2 × Drinks',
    'Check-in undone',
    'Checked in',
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({ about: 'Vera Visitor', registrationId: id, event: { id: event.id } })
  expect(entries[0]?.changes).toEqual([{ field: 'Status', before: 'confirmed', after: 'cancelled' }])
  expect(entries[2]?.changes).toEqual([
    { field: 'E-mail', before: null, after: null },
    { field: 'Phone number', before: null, after: null },
  ])
  const all = JSON.stringify(await readAll(token, club.id))
  for (const secret of ['secret.example', '7654321', qrUuid, qrUuid.slice(0, 8).toUpperCase(), 'purchaseId'])
    expect(all).not.toContain(secret)
  const logged = JSON.stringify(await app.deps.db.selectFrom('changes').select(['before', 'after']).execute())
  expect(logged).not.toContain('secret.example')
  await app.call(attendeeApi.removeRegistration, { registrationId: id, eventId: event.id }, token)
  expect(await latest(token, club.id)).toMatchObject({
    action: 'Registration removed for good',
    about: `Removed registration ${id}`,
    event: { id: event.id },
    registrationId: null,
  })
  expect(JSON.stringify(await readAll(token, club.id))).not.toContain('Vera')
})

test('somebody added at the door is in the history of the event', async () => {
  const { club, token, event } = await makeFixture(app)
  const registrationData = { name: 'Wanda Walk-in', email: '', phone: '', others: [] }
  await app.call(attendeeApi.save, { payload: { eventId: event.id, registrationData, extrasIds: [] } }, token)
  const { entries } = await read(token, club.id, { eventId: event.id, subject: 'attendees' })
  expect(entries).toMatchObject([{ action: 'Attendee added', about: 'Wanda Walk-in' }])
})

test('changes of the team and the club are in it, the operator’s too, and who has left is still named', async () => {
  const { club, admin, token, sudo, event } = await makeFixture(app)
  const { member } = await makeMember(app, { clubId: club.id, token }, 'door', [event.id])
  await app.call(
    appUserApi.save,
    { payload: { ...memberFields(member), teamRole: 'treasurer', eventIds: null } },
    token,
  )
  const { entries } = await read(token, club.id, { subject: 'team' })
  expect(entries[0]).toMatchObject({ action: 'Role changed', about: member.fullName, by: admin.fullName })
  expect(entries[0]?.changes).toEqual([
    { field: 'Role', before: 'Door helper', after: 'Treasurer' },
    { field: 'Works at', before: 'Summer party', after: 'all events' },
  ])
  const renamed = memberFields(member)
  const current = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  const version = current.admins.find(({ id }) => id === member.id)?.version
  await app.call(appUserApi.save, { payload: { ...renamed, email: 'new@hidden.example', version } }, token)
  expect((await latest(token, club.id)).changes).toEqual([{ field: 'E-mail', before: null, after: null }])

  await app.call(clubApi.save, { id: club.id, listed: true, language: 'de', description: 'Rowing' }, sudo.token)
  const byOperator = (await read(token, club.id, { by: 'operator' })).entries
  expect(byOperator[0]).toMatchObject({ by: 'The operator', action: 'Club settings changed', event: null })
  expect(byOperator[0]?.changes).toEqual([
    { field: 'Found on the start page', before: 'no', after: 'yes' },
    { field: 'Main language', before: 'English', after: 'German' },
    { field: 'Description', before: null, after: null },
  ])
  expect(actions(byOperator)).toEqual(['Club settings changed', 'Added to the team', 'Club added'])
  expect(JSON.stringify(byOperator)).not.toContain('Sue Do')

  const { member: second, token: ofSecond } = await makeMember(app, { clubId: club.id, token }, 'owner')
  await app.call(eventApi.save, { id: event.id, name: 'Spring party' }, ofSecond)
  const invited = await app.call(
    teamApi.invite,
    {
      payload: {
        clubId: club.id,
        fullName: 'Ina Invited',
        email: 'ina@hidden.example',
        teamRole: 'manager',
        eventIds: null,
      },
    },
    token,
  )
  for (const { id } of [second, invited])
    await app.call(appUserApi.removeAppUser, { appUserId: id, clubId: club.id }, token)
  const [withdrawn, removed, invitation, edited] = (await read(token, club.id)).entries
  expect(withdrawn).toMatchObject({ action: 'Removed from the team', about: 'Somebody who had not joined' })
  expect(removed).toMatchObject({ action: 'Removed from the team', about: second.fullName, by: admin.fullName })
  expect(invitation).toMatchObject({ action: 'Invited to the team', about: 'Somebody who had not joined' })
  expect(edited).toMatchObject({ action: 'Event edited', by: second.fullName })
  expect(await app.call(historyApi.getPeople, { clubId: club.id }, token)).toEqual([
    { id: admin.id, name: admin.fullName, hasLeft: false },
    { id: member.id, name: member.fullName, hasLeft: false },
    { id: second.id, name: second.fullName, hasLeft: true },
  ])
  const byGone = (await read(token, club.id, { by: String(second.id) })).entries
  expect(actions(byGone)).toEqual(['Event edited'])
  expect(JSON.stringify(await readAll(token, club.id))).not.toContain('hidden.example')
})

/** The fields with which somebody is saved as they are. */
function memberFields({
  id,
  fullName,
  email,
  clubId,
}: {
  id: number
  fullName: string
  email: string
  clubId: number | null
}) {
  return { id, fullName, email, clubId }
}

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
  expect((await read(manager, club.id)).entries.length).toBeGreaterThan(0)
  await refusalOf(read(sudo.token, club.id), 'NOT_ALLOWED')
  const stranger = await makeClub(app, sudo.token)
  await refusalOf(read(stranger.token, club.id), 'NOT_FOUND')
  const file = await app.raw(historyApi.downloadHistory, { clubId: club.id }, { authorization: stranger.token })
  expect(file.status).toBe(404)
})

test('a filter by another club’s event or person finds nothing', async () => {
  const { club, token, event, admin, sudo } = await makeFixture(app)
  const stranger = await makeClub(app, sudo.token)
  await makeEvent(app, stranger.token, { name: 'Elsewhere' })
  for (const filters of [{ eventId: event.id }, { by: String(admin.id) }])
    expect((await read(stranger.token, stranger.club.id, filters)).entries).toEqual([])
  const all = JSON.stringify(await readAll(stranger.token, stranger.club.id))
  for (const foreign of [club.name, admin.fullName, 'Summer party']) expect(all).not.toContain(foreign)
  expect((await read(token, club.id, { eventId: event.id })).entries).toHaveLength(1)
})

test('pages follow each other without gaps or doubles, also while more is changed, and filters combine', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  const other = await makeEvent(app, token, { name: 'Other' })
  const ids = await makeMany(app, event, 70)
  const many = { eventId: event.id, registrationIds: ids, action: 'check in' as const }
  await app.call(attendeeApi.changeMany, { payload: many }, token)
  const first = await read(token, club.id, { subject: 'check-ins' })
  expect(first.entries).toHaveLength(HISTORY_PAGE)
  await app.call(
    checkinApi.save,
    { payload: { newCheckin: { registrationId: ids[0] ?? 0, status: false }, eventId: event.id } },
    token,
  )
  const second = await read(token, club.id, { subject: 'check-ins', before: first.next ?? 0 })
  expect(second).toMatchObject({ next: null })
  const seen = [...first.entries, ...second.entries].map(({ id }) => id)
  expect(new Set(seen).size).toBe(70)
  expect(seen).toEqual([...seen].sort((a, b) => b - a))
  const filters = { by: String(admin.id), eventId: event.id, subject: 'check-ins' as const }
  expect(await readAll(token, club.id, filters)).toHaveLength(71)
  expect(await readAll(token, club.id, { ...filters, eventId: other.id })).toEqual([])
  expect(actions(await readAll(token, club.id, { subject: 'events' }))).toEqual(['Event added', 'Event added'])
})

test('refunds are found as a subject of their own, with their amount', async () => {
  const { club, admin, token, event } = await makeFixture(app)
  const { id } = await makeRegistration(app, event)
  await sql`insert into changes (at, club_id, user_id, subject, subject_id, action, after) values
    (now(), ${club.id}, ${admin.id}, 'registration', ${id}, 'refund', '{"amount": 1250}'),
    (now(), ${club.id}, ${admin.id}, 'registration', ${id}, 'refund', '{"amount": 1250, "currency": "jpy"}'),
    (now(), ${club.id}, ${admin.id}, 'event', ${event.id}, 'refunds tried again', '{"count": 2}'),
    (now(), ${club.id}, ${admin.id}, 'club', ${club.id}, 'unheard of', '{"secret": "x"}')`.execute(app.deps.db)
  expect(actions(await readAll(token, club.id, { subject: 'money' }))).toEqual([
    '2 refunds tried again',
    'Refund asked for: JP¥1,250',
    'Refund asked for: €12.50',
  ])
  // What another version has logged.
  expect(await latest(token, club.id)).toMatchObject({ action: 'Something was changed', changes: [] })
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
  const get = (filters: Filters) =>
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
    'Name: Summer party; Capacity: no limit',
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
  expect(titles).toEqual(new Set(['no limit', 'unbegrenzt', 'sans limite', 'senza limite', 'sin límite']))
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
