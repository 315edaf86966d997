import { readXlsx } from 'hucre/xlsx'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { makeEvent, makeExtras, makeFixture, makeForm, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

test('the spreadsheet has typed cells, no formula, and a column for each question ever answered', async () => {
  const { event, token } = await makeFixture(app)
  const [kept, gone, unanswered] = await makeForm(app, token, event.id, [
    { typeId: 0, text: '=SUM(A1)', required: false, options: [] },
    { typeId: 3, text: 'Days', required: false, options: ['Fri', 'Sat'] },
    { typeId: 0, text: 'Never answered', required: false, options: [] },
  ])
  const drinks = await makeExtras(app, token, event.id)
  const food = await makeExtras(app, token, event.id, { name: 'Food' })
  const ada = await makeRegistration(app, event, {
    extrasIds: [drinks.id, food.id, drinks.id],
    name: '=HYPERLINK("evil")',
    email: 'a@example.org',
    others: [
      { qId: kept?.id ?? 0, answer: '@SUM(1)' },
      { qId: gone?.id ?? 0, answer: ['Fri', 'Sat'] },
    ],
  })
  const rmQIds = [gone?.id ?? 0, unanswered?.id ?? 0]
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions: [], rmQIds } }, token)
  await app.call(checkinApi.scanByRegistrationId, scanOf(ada), token)

  const response = await app.raw(attendeeApi.downloadAttendees, { eventId: event.id }, { authorization: token })
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="Attendee-report-event-${event.id}-20261120T190000.xlsx"`,
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const rows = (await readXlsx(bytes)).sheets[0]?.rows ?? []
  expect(rows[0]).toEqual([
    'Id',
    'Name',
    'E-mail',
    'Phone',
    'Registered',
    'Status',
    'Check-in',
    'Checked in at',
    'Checked in by',
    'Amount',
    'Paid',
    'Refunded',
    'Net',
    'Paid at',
    'Paid at the door',
    'Currency',
    'Vouchers',
    'Redemption',
    '=SUM(A1)',
    'Days (removed)',
  ])
  expect(rows[1]).toEqual([
    String(ada.id).padStart(5, '0'),
    '=HYPERLINK("evil")',
    'a@example.org',
    '+49 30 1234567',
    new Date('2026-11-20T19:00:00Z'),
    'Confirmed',
    'Checked-in',
    new Date('2026-11-20T19:00:00Z'),
    expect.stringMatching(/^Ana Admin/),
    0,
    null,
    null,
    null,
    null,
    null,
    'EUR',
    '2 × Drinks, Food',
    'Not Redeemed',
    '@SUM(1)',
    'Fri, Sat',
  ])
  expect(rows).toHaveLength(2)

  const chosen = await app.raw(
    attendeeApi.downloadAttendees,
    { eventId: event.id, registrationIds: '999999' },
    { authorization: token },
  )
  expect((await readXlsx(Buffer.from(await chosen.arrayBuffer()))).sheets[0]?.rows).toHaveLength(1)
})

test('all matches of the filters are available by id, over any number of pages, and as a spreadsheet', async () => {
  const { event, token } = await makeFixture(app)
  const ids = await makeMany(app, event, 250)
  const ana = await makeRegistration(app, event, { name: 'Ana' })
  await app.call(
    checkinApi.save,
    { payload: { newCheckin: { registrationId: ana.id, status: true }, eventId: event.id } },
    token,
  )
  const all = (filters: { searchKeyword?: string; checkin?: boolean }) =>
    app.call(attendeeApi.getAttendeeIds, { eventId: event.id, searchKeyword: '', ...filters }, token)
  expect(await all({})).toEqual([...ids, ana.id])
  expect(await all({ searchKeyword: 'guest', checkin: false })).toEqual(ids)
  expect(await all({ checkin: true })).toEqual([ana.id])
  const other = await makeRegistration(app, await makeEvent(app, token), { name: 'Ana elsewhere' })
  const namesIn = async (filters: { searchKeyword?: string; checkin?: 'true'; registrationIds?: string }) => {
    const input = { eventId: event.id, ...filters }
    const sheet = await app.raw(attendeeApi.downloadAttendees, input, { authorization: token })
    const rows = (await readXlsx(Buffer.from(await sheet.arrayBuffer()))).sheets[0]?.rows ?? []
    return rows.slice(1).map((row) => row[1])
  }
  expect(await namesIn({ searchKeyword: 'ana', checkin: 'true' })).toEqual(['Ana'])
  const registrationIds = [ids[0], ana.id, other.id].join()
  expect(await namesIn({ registrationIds })).toEqual(['Guest 1', 'Ana'])
  expect(await namesIn({ registrationIds, searchKeyword: 'ana' })).toEqual(['Ana'])
})

test('a spreadsheet of several portions has the vouchers and payments of all, also of a voucher that was taken off sale', async () => {
  const { event, token } = await makeFixture(app)
  const paid = (await makeMany(app, event, 1_001, 1250)).at(-1) ?? 0
  const drinks = await makeExtras(app, token, event.id, { name: 'Drinks' })
  const ana = await makeRegistration(app, event, { name: 'Ana', extrasIds: [drinks.id] })
  await app.call(extrasApi.removeExtras, { eventId: event.id, extrasId: drinks.id }, token)
  const sheet = await app.raw(attendeeApi.downloadAttendees, { eventId: event.id }, { authorization: token })
  const [headers = [], ...rows] = (await readXlsx(Buffer.from(await sheet.arrayBuffer()))).sheets[0]?.rows ?? []
  expect(rows).toHaveLength(1_002)
  const cell = (id: number, header: string) =>
    rows.find((row) => Number(row[0]) === id)?.[headers.indexOf(header)] ?? null
  expect([cell(ana.id, 'Vouchers'), cell(ana.id, 'Paid')]).toEqual(['Drinks', null])
  expect([cell(paid, 'Vouchers'), cell(paid, 'Paid')]).toEqual([null, 12.5])
})

test('characters that XML forbids are refused in a name, and left out of the spreadsheet if an old row has them', async () => {
  const { event, token } = await makeFixture(app)
  for (const name of ['A\uffff', 'A\ufffe', 'A\ufdd0', 'A\u{1fffe}'])
    await expect(makeRegistration(app, event, { name })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const { id } = await makeRegistration(app, event)
  await app.deps.db.updateTable('registrations').set({ name: 'A\uffffB\ufffeC' }).where('id', '=', id).execute()
  const response = await app.raw(attendeeApi.downloadAttendees, { eventId: event.id }, { authorization: token })
  const { sheets } = await readXlsx(Buffer.from(await response.arrayBuffer()))
  expect(sheets[0]?.rows[1]?.[1]).toBe('ABC')
})
