import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { passApi } from '../../src/contract/passes.ts'
import type { PassAbility } from '../../src/contract/permissions.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { securityApi } from '../../src/contract/security.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { MOST_PASSES } from '../../src/server/passes/passes.ts'
import { readHistory } from '../support/history.ts'
import {
  makeClub,
  makeEvent,
  makeExtras,
  makeFixture,
  makeMember,
  makeRegistration,
  PASSWORD,
} from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const HOUR = 60 * 60_000
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

interface Wanted {
  may?: PassAbility[]
  phones?: number
  key?: string
  eventId?: number
}

function make({ may = ['tickets'], phones = 1, key = randomUUID(), eventId = fixture.event.id }: Wanted = {}) {
  return app.call(passApi.makePass, { payload: { eventId, key, name: 'Hal Helper', may, phones } }, fixture.token)
}

/** Opens the pass on a phone; returns its session. */
async function open(token: string, phone: string = randomUUID()): Promise<string> {
  const answer = await app.raw(passApi.openPass, { token, phone })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return answer.headers.get('authorization') ?? ''
}

const opened = async (wanted?: Wanted) => {
  const { pass, token } = await make(wanted)
  return { pass, token, session: await open(token) }
}

const revoke = (id: number) =>
  app.call(passApi.revokePass, { payload: { eventId: fixture.event.id, id } }, fixture.token)

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

function noted(registration: Registration, fields: Partial<QueuedScan> = {}): QueuedScan {
  const act = { kind: 'code' as const, qrCodeData: ticketUrl(BASE_URL, registration) }
  return { scanId: randomUUID(), act, agoMs: 0, wasShownIn: true, ...fields }
}

async function sync(session: string, scans: QueuedScan[]) {
  const payload = { eventId: fixture.event.id, device: { id: 'aaaa', name: 'Gate A' }, scans }
  return (await app.call(doorApi.syncScans, { payload }, session)).answers
}

test('a pass opens the door of its event and nothing else, under the helper’s name', async () => {
  const { pass, token } = await make({ may: ['tickets', 'search'] })
  expect(pass).toMatchObject({ name: 'Hal Helper', may: ['tickets', 'search'], phones: 1, openOn: [], revokedAt: null })
  expect(pass.endsAt).toEqual(new Date(fixture.event.endsAt.getTime() + 12 * HOUR))
  expect(JSON.stringify(await app.deps.db.selectFrom('users').selectAll().execute())).not.toContain(token)
  expect(await app.call(passApi.readPass, { token })).toMatchObject({
    name: 'Hal Helper',
    clubName: fixture.club.name,
    eventId: fixture.event.id,
    eventName: fixture.event.name,
  })

  const session = await open(token)
  expect(await app.call(authApi.getCurrentUser, {}, session)).toMatchObject({
    role: 'admin',
    isPass: true,
    fullName: 'Hal Helper',
    email: '',
    permissions: ['door', 'tickets', 'search'],
    eventIds: [fixture.event.id],
  })
  const registration = await makeRegistration(app, fixture.event)
  const list = await app.call(doorApi.getDoorList, { eventId: fixture.event.id }, session)
  expect(list.tickets.map(({ id }) => id)).toEqual([registration.id])
  const [answer] = await sync(session, [noted(registration)])
  expect(answer).toMatchObject({ code: null, checkin: { checkedInBy: 'Hal Helper', device: 'Gate A' } })

  const elsewhere = await makeEvent(app, fixture.token)
  await refusalOf(app.call(doorApi.getDoorList, { eventId: elsewhere.id }, session), 'NOT_FOUND')
  const { clubId } = fixture.event
  await refusalOf(app.call(eventApi.getAllEvents, { clubId }, session), 'NOT_ALLOWED')
  await refusalOf(app.call(authApi.getSessions, {}, session), 'NOT_ALLOWED')
  const self = { id: pass.id, fullName: 'Hal', email: 'hal@example.org', clubId, password: 'battery staple 2' }
  await refusalOf(app.call(appUserApi.save, { payload: self }, session), 'NOT_ALLOWED')
  expect((await app.raw(doorApi.getPaperList, { eventId: fixture.event.id }, { authorization: session })).status).toBe(
    403,
  )
})

test('a pass does only what it allows', async () => {
  const extras = await makeExtras(app, fixture.token, fixture.event.id, { price: 0 })
  const registration = await makeRegistration(app, fixture.event, { extrasIds: [extras.id] })
  const { id: registrationId, qrUuid } = registration
  const [voucher] = (await app.call(ticketApi.getRegistration, { registrationId, qrUuid })).extras
  const units = voucher?.content.map(({ name }) => ({ name, count: 1 })).slice(0, 1) ?? []
  const redeem = { kind: 'redeem' as const, registrationId, extrasPurchaseId: voucher?.id ?? 0, units }
  const byHand = { kind: 'hand' as const, registrationId }

  const tickets = (await opened({ may: ['tickets'] })).session
  const refused = await sync(tickets, [
    noted(registration, { act: redeem, wasShownIn: false }),
    noted(registration, { act: byHand, wasShownIn: false }),
  ])
  expect(refused.map(({ code }) => code)).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED'])
  const newCheckin = { registrationId, status: true }
  const save = app.call(checkinApi.save, { payload: { newCheckin, eventId: fixture.event.id } }, tickets)
  await refusalOf(save, 'NOT_ALLOWED')

  const vouchers = (await opened({ may: ['redeem', 'search'] })).session
  const [scanned, redeemed, found] = [
    ...(await sync(vouchers, [noted(registration, { wasShownIn: false })])),
    ...(await sync(vouchers, [noted(registration, { act: redeem })])),
    ...(await sync(vouchers, [noted(registration, { act: byHand })])),
  ]
  expect([scanned?.code, redeemed?.code, found?.code]).toEqual(['NOT_ALLOWED', null, null])
})

test('what was scanned before a pass was revoked counts, and what comes after does not', async () => {
  const { pass, session } = await opened({ may: ['tickets'] })
  const [early, late, unseen] = [
    await makeRegistration(app, fixture.event),
    await makeRegistration(app, fixture.event),
    await makeRegistration(app, fixture.event),
  ]
  advance(HOUR)
  await revoke(pass.id)
  advance(HOUR)
  await refusalOf(app.call(doorApi.getDoorList, { eventId: fixture.event.id }, session), 'NOT_ALLOWED')
  expect(await app.call(authApi.getCurrentUser, {}, session)).toMatchObject({ isPass: true, permissions: [] })
  const scans = [
    noted(early, { agoMs: 1.5 * HOUR }),
    noted(late, { agoMs: 0.5 * HOUR }),
    noted(unseen, { agoMs: 0.5 * HOUR, wasShownIn: false }),
  ]
  expect((await sync(session, scans)).map(({ code }) => code)).toEqual([null, 'PASS_ENDED', 'PASS_ENDED'])
  // Sent again, each gets the same answer.
  expect((await sync(session, scans)).map(({ code }) => code)).toEqual([null, 'PASS_ENDED', 'PASS_ENDED'])
  const checkins = await app.deps.db.selectFrom('checkins').selectAll().where('status', '=', true).execute()
  expect(checkins.map(({ registrationId }) => registrationId)).toEqual([early.id])
  // Whoever was let in although the pass had ended is a conflict for the club to look at.
  const conflicts = await app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
  expect(conflicts).toMatchObject([{ registrationId: late.id, code: 'PASS_ENDED', scan: { by: 'Hal Helper' } }])
})

test('a pass ends twelve hours after its event, also when the event is moved', async () => {
  const { token, session } = await opened()
  const { event } = fixture
  app.clock.now = new Date(event.endsAt.getTime() + 12 * HOUR - 1)
  await app.call(doorApi.getDoorList, { eventId: event.id }, session)
  advance(1)
  await refusalOf(app.call(doorApi.getDoorList, { eventId: event.id }, session), 'NOT_ALLOWED')
  await refusalOf(app.call(passApi.readPass, { token }), 'LINK_EXPIRED')
  await refusalOf(app.call(passApi.openPass, { token, phone: randomUUID() }), 'LINK_EXPIRED')
  const endsAt = new Date(event.endsAt.getTime() + HOUR)
  await app.deps.db.updateTable('events').set({ endsAt }).where('id', '=', event.id).execute()
  expect(await app.call(passApi.readPass, { token })).toMatchObject({ eventId: event.id })
})

test('as many phones open a pass as it allows; one of them may open it again', async () => {
  const { token } = await make({ phones: 2 })
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const answers = await Promise.all([first, second, third].map((phone) => app.raw(passApi.openPass, { token, phone })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403])
  const phones = [first, second, third].filter((_, at) => answers[at]?.ok)
  const before = answers.find(({ ok }) => ok)?.headers.get('authorization') ?? ''
  const again = await open(token, phones[0])
  await refusalOf(app.call(authApi.getCurrentUser, {}, before), 'SIGN_IN_NEEDED')
  await app.call(authApi.getCurrentUser, {}, again)
  const [pass] = await app.call(passApi.getPasses, { eventId: fixture.event.id }, fixture.token)
  expect(pass?.openOn).toHaveLength(2)
})

test('a new link ends the previous one; the phone that opened it only sends what it did before', async () => {
  const { pass, token, session } = await opened()
  const [before, after] = [await makeRegistration(app, fixture.event), await makeRegistration(app, fixture.event)]
  advance(HOUR)
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, fixture.token)
  const payload = { eventId: fixture.event.id, id: pass.id }
  const renewed = await app.call(passApi.renewPass, { payload }, fixture.token)
  expect(renewed.pass.openOn).toEqual([])
  await refusalOf(app.call(doorApi.getDoorList, { eventId: fixture.event.id }, session), 'NOT_ALLOWED')
  expect(await app.call(authApi.getCurrentUser, {}, session)).toMatchObject({ permissions: [] })
  await refusalOf(app.call(passApi.readPass, { token }), 'LINK_EXPIRED')
  const other = await open(renewed.token)
  await app.call(doorApi.getDoorList, { eventId: fixture.event.id }, other)
  advance(HOUR)
  const late = await sync(session, [noted(before, { agoMs: 1.5 * HOUR }), noted(after)])
  expect(late.map(({ code }) => code)).toEqual([null, 'PASS_ENDED'])
  await revoke(pass.id)
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, fixture.token)
  await refusalOf(app.call(passApi.renewPass, { payload }, fixture.token), 'NOT_FOUND')
})

test('an ended pass is told no names, takes nothing back that had arrived, and stops sending after three days', async () => {
  const { pass, session } = await opened({ may: ['tickets', 'search'] })
  const [early, other] = [await makeRegistration(app, fixture.event), await makeRegistration(app, fixture.event)]
  const first = noted(early)
  expect((await sync(session, [first]))[0]).toMatchObject({ code: null, name: early.registrationData.name })
  advance(HOUR)
  await revoke(pass.id)
  advance(HOUR)
  const undo: QueuedScan = {
    ...{ scanId: randomUUID(), act: { kind: 'undo', scanId: first.scanId }, agoMs: 2 * HOUR, wasShownIn: false },
  }
  const byHand = noted(other, { act: { kind: 'hand', registrationId: other.id }, agoMs: 1.5 * HOUR })
  const repeated = noted(early, { agoMs: 1.5 * HOUR, wasShownIn: false })
  const answers = await sync(session, [undo, byHand, repeated])
  expect(answers.map(({ code }) => code)).toEqual(['PASS_ENDED', null, 'ALREADY_CHECKED_IN'])
  expect(answers.map(({ name, checkin, registrationId }) => [name, checkin, registrationId])).toEqual(
    Array(3).fill([null, null, null]),
  )
  expect(JSON.stringify(answers)).not.toContain(early.registrationData.name)
  const checkins = await app.deps.db.selectFrom('checkins').select('status').execute()
  expect(checkins).toEqual([{ status: true }, { status: true }])
  advance(72 * HOUR)
  const payload = { eventId: fixture.event.id, device: { id: 'aaaa', name: 'Gate A' }, scans: [noted(early)] }
  await refusalOf(app.call(doorApi.syncScans, { payload }, session), 'NOT_ALLOWED')
})

test('what a pass does not allow stays undecided, for somebody who may do it', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const { session } = await opened({ may: ['redeem'] })
  const scan = noted(registration)
  expect((await sync(session, [scan]))[0]).toMatchObject({ code: 'NOT_ALLOWED' })
  expect((await sync(fixture.token, [scan]))[0]).toMatchObject({ code: null })
  expect(await app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)).toEqual([])
})

test('no pass is made or renewed when the event is over', async () => {
  const { pass } = await make()
  app.clock.now = new Date(fixture.event.endsAt.getTime() + 12 * HOUR)
  await app.call(securityApi.confirmIdentity, { password: PASSWORD }, fixture.token)
  const payload = { eventId: fixture.event.id, id: pass.id }
  const renew = app.call(passApi.renewPass, { payload }, fixture.token)
  expect((await refusalOf(renew, 'INVALID_INPUT')).fields[0]?.path).toBe('payload.eventId')
  expect((await refusalOf(make(), 'INVALID_INPUT')).fields[0]?.path).toBe('payload.eventId')
})

test('asked for twice with one key, because an answer was lost, it is one pass with the latest link', async () => {
  const key = randomUUID()
  const answers = await Promise.all([make({ key }), make({ key, may: ['redeem'] })])
  expect(new Set(answers.map(({ pass }) => pass.id)).size).toBe(1)
  const states = await Promise.all(answers.map(({ token }) => app.raw(passApi.readPass, { token })))
  expect(states.map(({ status }) => status).sort()).toEqual([200, 409])
  const elsewhere = await makeEvent(app, fixture.token)
  await refusalOf(make({ key, eventId: elsewhere.id }), 'NOT_FOUND')
})

test('an event has a limited number of passes, also when several are made at once', async () => {
  for (let made = 0; made < MOST_PASSES - 2; made++) await make()
  const results = await Promise.all(
    Array.from({ length: 5 }, () =>
      make().then(
        () => true,
        () => false,
      ),
    ),
  )
  expect(results.filter(Boolean)).toHaveLength(2)
  const [pass] = await app.call(passApi.getPasses, { eventId: fixture.event.id }, fixture.token)
  const refused = await refusalOf(make(), 'INVALID_INPUT')
  expect(refused.fields[0]?.path).toBe('payload.name')
  await revoke(pass?.id ?? 0)
  await make()
})

test('a pass is no member of the team, and belongs to its event and club alone', async () => {
  const { pass, session } = await opened()
  const { club, token, event, sudo } = fixture
  const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  expect(admins.map(({ id }) => id)).not.toContain(pass.id)
  const person = {
    id: pass.id,
    fullName: 'Eve',
    email: 'eve@example.org',
    clubId: club.id,
    password: 'battery staple 2',
  }
  await refusalOf(app.call(appUserApi.save, { payload: person }, token), 'NOT_FOUND')
  await refusalOf(app.call(appUserApi.removeAppUser, { appUserId: pass.id, clubId: club.id }, token), 'NOT_FOUND')
  await refusalOf(app.call(appUserApi.makePasswordLink, { payload: { id: pass.id } }, sudo.token), 'NOT_FOUND')

  const elsewhere = await makeEvent(app, token)
  const atOther = { payload: { eventId: elsewhere.id, id: pass.id } }
  await refusalOf(app.call(passApi.revokePass, atOther, token), 'NOT_FOUND')
  await refusalOf(app.call(passApi.renewPass, atOther, token), 'NOT_FOUND')
  const other = await makeClub(app, sudo.token)
  await refusalOf(app.call(passApi.getPasses, { eventId: event.id }, other.token), 'NOT_FOUND')
  const helper = await makeMember(app, { clubId: club.id, token }, 'door')
  await refusalOf(app.call(passApi.getPasses, { eventId: event.id }, helper.token), 'NOT_ALLOWED')
  await refusalOf(app.call(passApi.getPasses, { eventId: event.id }, session), 'NOT_ALLOWED')

  await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
  await refusalOf(app.call(authApi.getCurrentUser, {}, session), 'SIGN_IN_NEEDED')
})

test('the history says who made, renewed and revoked a pass, and what the helper did', async () => {
  const { pass, session } = await opened({ may: ['tickets'] })
  const { club, token, admin } = fixture
  await sync(session, [noted(await makeRegistration(app, fixture.event))])
  await app.call(passApi.renewPass, { payload: { eventId: fixture.event.id, id: pass.id } }, token)
  await revoke(pass.id)
  const { entries } = await readHistory(app, token, club.id)
  const said = entries.slice(0, 4).map(({ action, about, by }) => [action, about, by])
  expect(said.map(([action]) => action)).toEqual([
    'Helper pass revoked',
    'New link for a helper pass',
    'Checked in',
    'Helper pass made',
  ])
  expect(said[0]).toEqual(['Helper pass revoked', 'Hal Helper', admin.fullName])
  expect(said[2]?.[2]).toBe('Hal Helper')
})

test('bad input is refused with its field', async () => {
  const fieldsOf = async (wanted: Wanted) =>
    (await refusalOf(make(wanted), 'INVALID_INPUT')).fields.map(({ path }) => path)
  expect(await fieldsOf({ may: [] })).toContain('payload.may')
  expect(await fieldsOf({ may: ['search', 'walk-ins'] })).toEqual(['payload.may'])
  expect(await fieldsOf({ phones: 0 })).toEqual(['payload.phones'])
  expect(await fieldsOf({ phones: 21 })).toEqual(['payload.phones'])
  expect(await fieldsOf({ key: 'x' })).toEqual(['payload.key'])
})
