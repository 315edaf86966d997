import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Event } from '../../src/contract/event.ts'
import { formApi } from '../../src/contract/forms.ts'
import { HASH_BYTES, hashedSecret, hashedStart, SHORT_HASH_DIGITS } from '../../src/contract/values/ticket-codes.ts'
import { makeFixture, makeForm, makeRegistration, scanOf } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const listOf = (event: Event, token: string, since?: string) =>
  app.call(doorApi.getDoorList, { eventId: event.id, ...(since !== undefined && { since }) }, token)
const sha256 = (text: string) => createHash('sha256').update(text).digest()

test('the list has what a phone needs to decide, and nothing from which a ticket could be made', async () => {
  const { event, token, admin } = await makeFixture(app)
  const form = await makeForm(app, token, event.id, [
    { typeId: 0, text: 'Allergies', required: false, options: [], showAtDoor: true },
    { typeId: 3, text: 'Meal', required: false, options: ['A', 'B'], showAtDoor: true },
    { typeId: 0, text: 'Private', required: false, options: [] },
  ])
  const ids = form.map(({ id }) => id)
  const others = [
    { qId: ids[0] ?? 0, answer: 'Nuts' },
    { qId: ids[1] ?? 0, answer: ['A', 'B'] },
    { qId: ids[2] ?? 0, answer: 'Secret words' },
  ]
  const registration = await makeRegistration(app, event, { name: 'Zoë', others })
  const { id, qrUuid } = registration
  await app.call(
    checkinApi.scanByRegistrationId,
    { payload: { ...scanOf(registration).payload, device: 'Gate B' } },
    token,
  )

  const list = await listOf(event, token)
  expect(list).toMatchObject({ isFull: true, removed: [], count: 1, conflicts: 0, now: app.clock.now })
  expect(list.event).toMatchObject({ id: event.id, name: event.name, timeZone: 'Europe/Berlin' })
  expect(list.questions).toEqual([
    { id: ids[0], text: 'Allergies' },
    { id: ids[1], text: 'Meal' },
  ])
  expect(list.tickets).toEqual([
    {
      id,
      name: 'Zoë',
      status: 'confirmed',
      vouchers: [],
      hash: sha256(hashedSecret(registration)).subarray(0, HASH_BYTES).toString('base64').replace(/=+$/, ''),
      short: sha256(hashedStart({ id, qrStart: qrUuid.slice(0, 8) }))
        .toString('hex')
        .slice(0, SHORT_HASH_DIGITS),
      in: { at: app.clock.now, by: admin.fullName, device: 'Gate B' },
      answers: [
        { qId: ids[0], answer: 'Nuts' },
        { qId: ids[1], answer: 'A, B' },
      ],
    },
  ])

  const text = await (
    await app.raw(doorApi.getDoorList, { eventId: event.id }, { authorization: token, 'accept-encoding': 'identity' })
  ).text()
  for (const secret of [qrUuid, qrUuid.slice(0, 8), 'Secret words', registration.registrationData.email])
    expect(text).not.toContain(secret)
})

test('the list is compressed in the encoding that the client accepts', async () => {
  const { event, token } = await makeFixture(app)
  for (let n = 0; n < 20; n++) await makeRegistration(app, event)
  const whole = await listOf(event, token)
  for (const encoding of ['br', 'gzip']) {
    const headers = { authorization: token, 'accept-encoding': encoding }
    const response = await app.raw(doorApi.getDoorList, { eventId: event.id }, headers)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect((await response.json()).payload.tickets).toHaveLength(whole.tickets.length)
  }
})

test('the changes hold what has changed and nothing else: new, let in, undone, cancelled, corrected, removed', async () => {
  const { event, token } = await makeFixture(app)
  const [stays, comes, leaves, goes] = [
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
    await makeRegistration(app, event),
  ]
  const other = await makeFixture(app)
  const first = await listOf(event, token)
  const quiet = await listOf(event, token, first.cursor)
  expect(quiet).toMatchObject({ isFull: false, tickets: [], removed: [], count: 4 })

  await app.call(checkinApi.scanByRegistrationId, scanOf(comes), token)
  await app.call(checkinApi.scanByRegistrationId, scanOf(await makeRegistration(app, other.event)), other.token)
  const added = await makeRegistration(app, event)
  const status = { id: leaves.id, eventId: event.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload: status }, token)
  await app.call(attendeeApi.removeRegistration, { registrationId: goes.id, eventId: event.id }, token)
  const news = await listOf(event, token, quiet.cursor)
  expect(news).toMatchObject({ isFull: false, removed: [goes.id], count: 4 })
  expect(news.tickets.map((ticket) => [ticket.id, ticket.status, ticket.in !== null])).toEqual([
    [comes.id, 'confirmed', true],
    [leaves.id, 'cancelled', false],
    [added.id, 'confirmed', false],
  ])

  const newCheckin = { registrationId: comes.id, status: false }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: event.id } }, token)
  const registrationData = { ...stays.registrationData, name: 'Corrected', others: [] }
  await app.call(
    attendeeApi.save,
    { payload: { id: stays.id, eventId: event.id, registrationData, extrasIds: [] } },
    token,
  )
  const later = await listOf(event, token, news.cursor)
  expect(later.tickets.map(({ id, name, in: isIn }) => [id, name, isIn])).toEqual([
    [stays.id, 'Corrected', null],
    [comes.id, comes.registrationData.name, null],
  ])
})

test('a transaction that began before a phone read and ended after is not missed', async () => {
  const { event, token } = await makeFixture(app)
  const [slow, quick] = [await makeRegistration(app, event), await makeRegistration(app, event)]
  let { cursor } = await listOf(event, token)

  // The transaction has its id, and waits.
  let go = () => {}
  const waiting = new Promise<void>((resolve) => {
    go = resolve
  })
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const held = app.deps.db.transaction().execute(async (tx) => {
    await tx.updateTable('registrations').set({ name: 'Late' }).where('id', '=', slow.id).execute()
    begun()
    await waiting
  })
  await hasBegun
  await app.call(checkinApi.scanByRegistrationId, scanOf(quick), token)
  for (let n = 0; n < 3; n++) {
    const news = await listOf(event, token, cursor)
    expect(news.tickets.map(({ id }) => id)).toEqual([quick.id])
    cursor = news.cursor
  }
  go()
  await held
  const news = await listOf(event, token, cursor)
  expect(news.tickets.find(({ id }) => id === slow.id)?.name).toBe('Late')
  expect((await listOf(event, token, news.cursor)).tickets).toEqual([])
})

test('an unpaid ticket tells what is open; a list from before it did is read anew', async () => {
  const { event, token } = await makeFixture(app)
  const { id } = await makeRegistration(app, event)
  const dueOf = async () => (await listOf(event, token)).tickets.map(({ due }) => due)
  const setStatus = (status: 'pending' | 'confirmed') =>
    app.deps.db
      .updateTable('registrations')
      .set({ status, holdExpiresAt: status === 'pending' ? app.clock.now : null, amount: 4700, currency: 'gbp' })
      .where('id', '=', id)
      .execute()
  await setStatus('pending')
  expect(await dueOf()).toEqual([{ amount: 4700, currency: 'gbp' }])
  await setStatus('confirmed')
  expect(await dueOf()).toEqual([undefined])
  const [from] = (await listOf(event, token)).cursor.split('.')
  const { rows } = await sql<{ base: string }>`select 'registrations'::regclass::oid::text as base`.execute(app.deps.db)
  const olderForm = sha256(rows[0]?.base ?? '')
    .toString('hex')
    .slice(0, 12)
  expect((await listOf(event, token, `${from}.${olderForm}`)).isFull).toBe(true)
})

test('a changed form, or a cursor of another database, brings the whole list', async () => {
  const { event, token } = await makeFixture(app)
  const [question] = await makeForm(app, token, event.id, [
    { typeId: 0, text: 'Allergies', required: false, options: [] },
  ])
  await makeRegistration(app, event)
  const { cursor } = await listOf(event, token)
  const [, form] = cursor.split('.')
  for (const since of ['', 'nonsense', '1.zzz', `999999999999999999.${form}`, `-1.${form}`])
    expect((await listOf(event, token, since)).isFull, since).toBe(true)
  const { id, typeId, text, required, options } = question ?? {
    id: 0,
    typeId: 0,
    text: '',
    required: false,
    options: [],
  }
  const formQuestions = [{ id, typeId, text, required, options, showAtDoor: true }]
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
  expect(await listOf(event, token, cursor)).toMatchObject({ isFull: true, questions: [{ text: 'Allergies' }] })
})

test('a question is shown at the door when its form says so, and stays so when an edit does not mention it', async () => {
  const { event, token } = await makeFixture(app)
  const [shown, hidden] = await makeForm(app, token, event.id, [
    { typeId: 0, text: 'Shown', required: false, options: [], showAtDoor: true },
    { typeId: 0, text: 'Hidden', required: false, options: [] },
  ])
  expect([shown?.showAtDoor, hidden?.showAtDoor]).toEqual([true, false])
  const formQuestions = [shown, hidden].map((question) => ({
    ...{ id: question?.id ?? 0, typeId: 0, text: `${question?.text}?`, required: false, options: [] },
  }))
  const after = await app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
  expect(after.map(({ showAtDoor, version }) => [showAtDoor, version])).toEqual([
    [true, 2],
    [false, 2],
  ])
})

test('each answer has the number of tickets, whichever server added or removed them', async () => {
  const { event, token } = await makeFixture(app)
  const other = await app.another()
  const counts = async () =>
    Promise.all(
      [app, other].map(async (each) => (await each.call(doorApi.getDoorList, { eventId: event.id }, token)).count),
    )
  expect(await counts()).toEqual([0, 0])
  const first = await makeRegistration(app, event)
  expect(await counts()).toEqual([1, 1])
  expect(await counts()).toEqual([1, 1])
  await makeRegistration(other, event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(first), token)
  expect(await counts()).toEqual([2, 2])
  await other.call(attendeeApi.removeRegistration, { registrationId: first.id, eventId: event.id }, token)
  expect(await counts()).toEqual([1, 1])
})

test('tickets are counted again only when one was added, removed or changed', async () => {
  const { event, token } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  const list = async () => (await listOf(event, token)).count
  expect(await list()).toBe(1)
  // A row inserted without triggers and defaults, which the change tracking cannot notice.
  await sql`
    insert into registrations overriding system value select (jsonb_populate_record(r, jsonb_build_object(
      'id', 999999, 'qr_uuid', gen_random_uuid(), 'name', 'Unheard', 'door_xid', '3'
    ))).* from registrations r where id = ${registration.id}
  `.execute(app.deps.db)
  expect(await list()).toBe(1)
  await makeRegistration(app, event)
  expect(await list()).toBe(3)
})
