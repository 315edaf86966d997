import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { boardApi, MOST_BOARD_PHONES, MOST_SCANS_REPORTED } from '../../src/contract/board.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { passApi } from '../../src/contract/passes.ts'
import { sweepSignIns } from '../../src/server/auth/sweep.ts'
import { makeClub, makeEvent, makeFixture, makeMember, makeRegistration } from '../support/make.ts'
import { atOnce, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const MINUTE = 60_000
let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Report = Input<typeof boardApi.reportPhone>['payload']

const ready: Omit<Report, 'eventId' | 'device'> = {
  listAgeS: 2,
  worksOffline: true,
  camera: 'seen',
  sound: 'on',
  isShown: true,
  queued: 0,
  stuck: 0,
  scans: 12,
  recentScans: 5,
  recentByScanner: 2,
  battery: 81,
  isCharging: false,
  isPractising: false,
  practised: [],
  practisedAgoS: null,
}

const reportOf = (phone: string, fields: Partial<Report> = {}): Report => ({
  ...ready,
  eventId: fixture.event.id,
  device: { id: phone, name: `Phone ${phone}` },
  ...fields,
})

const report = (phone: string, fields: Partial<Report> = {}, token = fixture.token) =>
  app.call(boardApi.reportPhone, { payload: reportOf(phone, fields) }, token)

const board = (token = fixture.token, eventId = fixture.event.id) => app.call(boardApi.getBoard, { eventId }, token)

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function openPass(eventId = fixture.event.id, session = fixture.token) {
  const fields = { eventId, key: randomUUID(), name: 'Hal Helper', may: ['tickets' as const], phones: 1 }
  const { pass, token } = await app.call(passApi.makePass, { payload: fields }, session)
  const answer = await app.raw(passApi.openPass, { token, phone: randomUUID() })
  return { pass, session: answer.headers.get('authorization') ?? '' }
}

test('the board shows each phone once, with its latest report, its helper and its device', async () => {
  const { session } = await openPass()
  await report('a')
  await report('b', { practised: ['valid', 'valid', 'unpaid'], practisedAgoS: 90 }, session)
  advance(MINUTE)
  const agent =
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'
  const headers = { authorization: session, 'user-agent': agent }
  const payload = reportOf('b', { sound: 'blocked', practised: ['valid', 'unpaid'], practisedAgoS: 150 })
  expect((await app.raw(boardApi.reportPhone, { payload }, headers)).status).toBe(200)
  const { now, phones } = await board()
  expect(phones.map(({ id, helper, isPass }) => [id, helper, isPass])).toEqual([
    ['a', fixture.admin.fullName, false],
    ['b', 'Hal Helper', true],
  ])
  const [a, b] = phones
  expect(a).toMatchObject({
    name: 'Phone a',
    listAgeS: 2,
    scans: 12,
    recentScans: 5,
    recentByScanner: 2,
    battery: 81,
    practisedAt: null,
  })
  expect(now.getTime() - (a?.reportedAt.getTime() ?? 0)).toBe(MINUTE)
  expect(b).toMatchObject({ browser: 'Chrome', system: 'Android', sound: 'blocked', reportedAt: now })
  expect(b?.practised).toEqual(['valid', 'unpaid'])
  expect(now.getTime() - (b?.practisedAt?.getTime() ?? 0)).toBe(150_000)
})

test('the board counts arrivals, of the event alone', async () => {
  const { event, token } = fixture
  const other = await makeEvent(app, token)
  const come = async (of: typeof event) => {
    const { id } = await makeRegistration(app, of)
    await app.call(
      checkinApi.save,
      { payload: { newCheckin: { registrationId: id, status: true }, eventId: of.id } },
      token,
    )
  }
  await come(event)
  advance(20 * MINUTE)
  await come(event)
  await come(other)
  await makeRegistration(app, event)
  const { expected, unpaid, inside, lately, arrivals, conflicts } = await board()
  expect({ expected, unpaid, inside, lately, conflicts }).toEqual({
    expected: 3,
    unpaid: 0,
    inside: 2,
    lately: 1,
    conflicts: 0,
  })
  expect(arrivals.map(({ checkins }) => checkins)).toEqual([1, 1])
})

test('phones report to the events whose door they may have, and only those who run events see the board', async () => {
  const { event, club, sudo, token } = fixture
  const elsewhere = await makeEvent(app, token)
  const { session } = await openPass()
  const stranger = await makeClub(app, sudo.token)
  await report('helper', {}, session)
  await refusalOf(report('x', { eventId: elsewhere.id }, session), 'NOT_FOUND')
  await refusalOf(report('x', {}, stranger.token), 'NOT_FOUND')
  await refusalOf(board(stranger.token), 'NOT_FOUND')
  await refusalOf(board(session), 'NOT_ALLOWED')
  const team = { clubId: club.id, token }
  const [manager, treasurer, door] = [
    (await makeMember(app, team, 'manager')).token,
    (await makeMember(app, team, 'treasurer')).token,
    (await makeMember(app, team, 'door')).token,
  ]
  await report('manager', {}, manager)
  await report('door', {}, door)
  await refusalOf(report('treasurer', {}, treasurer), 'NOT_ALLOWED')
  await refusalOf(board(treasurer), 'NOT_ALLOWED')
  await refusalOf(board(door), 'NOT_ALLOWED')
  expect((await board(manager)).phones.map(({ id }) => id).sort()).toEqual(['door', 'helper', 'manager'])
  expect((await board(token, elsewhere.id)).phones).toEqual([])
  expect(event.id).not.toBe(elsewhere.id)
})

test('a pass that has ended does not report, and its phone leaves the board', async () => {
  const { pass, session } = await openPass()
  await report('a', { queued: 3 }, session)
  await app.call(passApi.revokePass, { payload: { eventId: fixture.event.id, id: pass.id } }, fixture.token)
  await refusalOf(report('a', {}, session), 'NOT_ALLOWED')
  await refusalOf(report('b', {}, session), 'NOT_ALLOWED')
  expect((await board()).phones).toEqual([])
})

test('a new link for a pass takes its earlier phones off the board, until they open it', async () => {
  const { pass, session } = await openPass()
  await report('a', {}, session)
  await report('b')
  advance(MINUTE)
  const input = { payload: { eventId: fixture.event.id, id: pass.id } }
  const { token } = await app.call(passApi.renewPass, input, fixture.token)
  expect((await board()).phones).toMatchObject([{ id: 'b' }])
  advance(1)
  const answer = await app.raw(passApi.openPass, { token, phone: randomUUID() })
  await report('a', {}, answer.headers.get('authorization') ?? '')
  expect((await board()).phones.map(({ id }) => id).sort()).toEqual(['a', 'b'])
})

test('a phone with an older version does not tell how many codes came from a keyboard scanner', async () => {
  const { recentByScanner: _, ...payload } = reportOf('a')
  expect((await app.raw(boardApi.reportPhone, { payload }, { authorization: fixture.token })).status).toBe(200)
  expect((await board()).phones).toMatchObject([{ recentScans: 5, recentByScanner: 0 }])
})

test.each<[keyof Report, unknown]>([
  ['queued', -1],
  ['queued', MOST_SCANS_REPORTED + 1],
  ['scans', 1.5],
  ['battery', 101],
  ['listAgeS', 1e12],
  ['practisedAgoS', -5],
  ['camera', 'broken'],
  ['practised', ['valid', 'else']],
  ['practised', Array.from({ length: 8 }, () => 'valid')],
])('an absurd report is refused and names its field: %s %j', async (field, value) => {
  const payload = { ...reportOf('a'), [field]: value }
  const answer = await app.raw(boardApi.reportPhone, { payload }, { authorization: fixture.token })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain(`payload.${field}`)
  expect((await board()).phones).toEqual([])
})

test('an event has a limit of phones, also when many come at once: those silent longest are left out', async () => {
  await report('old')
  advance(1000)
  // Not all in one moment: on a busy machine the last would wait longer than anybody may.
  const phonesOf = Array.from({ length: MOST_BOARD_PHONES + 3 }, (_, index) => `p${index}`)
  await Promise.all(atOnce(phonesOf, 40, report))
  const { phones } = await board()
  expect(phones).toHaveLength(MOST_BOARD_PHONES)
  expect(phones.map(({ id }) => id)).not.toContain('old')
})

test('phones leave the board after the night, are deleted after a day, and with their event', async () => {
  const rows = () => app.deps.db.selectFrom('doorPhones').select('phoneId').execute()
  await report('a')
  advance(13 * 60 * MINUTE)
  expect((await board()).phones).toEqual([])
  await report('b')
  advance(12 * 60 * MINUTE)
  await sweepSignIns(app.deps)
  expect(await rows()).toEqual([{ phoneId: 'b' }])
  await app.call(eventApi.removeEvent, { eventId: fixture.event.id }, fixture.token)
  await app.finishMails()
  expect(await rows()).toEqual([])
})
