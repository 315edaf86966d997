import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { Refusal } from '../../src/contract/errors.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode, ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeCallerOf } from '../../src/server/access/caller.ts'
import { makeOwnEvent } from '../../src/server/access/own-event.ts'
import { makeDecide } from '../../src/server/checkins/scan.ts'
import { logChanges } from '../../src/server/db/changes.ts'
import { syncScans } from '../../src/server/door/sync-scans.ts'
import { sweepOld } from '../../src/server/retention/sweep.ts'
import { callerAt } from '../support/caller-at.ts'
import { makeClub, makeEvent, makeExtras, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const signedIn = {
  apiToken: null,
  isFresh: true,
  hasSecondFactor: false,
  hasPasskey: false,
  mustSetUp: false,
  mayFinishAtDoor: false,
}
const operator = { id: 1, fullName: 'Sue Do', tokenHash: '', role: 'sudo', clubId: null, ...signedIn } as const
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

const [gateA, gateB] = [
  { id: 'aaaa', name: 'Gate A' },
  { id: 'bbbb', name: 'Gate B' },
]
const MINUTE = 60_000

/** A scan of this ticket as noted by a phone without network. */
function noted(registration: Registration, fields: Partial<QueuedScan> = {}): QueuedScan {
  const act = { kind: 'code' as const, qrCodeData: ticketUrl(BASE_URL, registration) }
  return { scanId: randomUUID(), act, agoMs: 0, wasShownIn: true, ...fields }
}

const takingBack = (scanId: string): QueuedScan => ({
  ...{ scanId: randomUUID(), act: { kind: 'undo', scanId }, agoMs: 0, wasShownIn: false },
})

async function sync(scans: QueuedScan[], device = gateA, token = fixture.token) {
  const { answers } = await app.call(
    doorApi.syncScans,
    { payload: { eventId: fixture.event.id, device, scans } },
    token,
  )
  return answers
}

const conflicts = () => app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
const checkins = () => app.deps.db.selectFrom('checkins').selectAll().orderBy('registrationId').execute()

test('scans noted without network are check-ins at the time when they were made, on that phone', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const [answer] = await sync([noted(registration, { agoMs: 42 * MINUTE })])
  const at = new Date(app.clock.now.getTime() - 42 * MINUTE)
  const checkin = { checkinTime: at, checkedInBy: fixture.admin.fullName, device: 'Gate A', status: true }
  expect(answer).toMatchObject({ code: null, msg: '', name: registration.registrationData.name, checkin })
  expect(await checkins()).toMatchObject([checkin])
})

test('a queue of 200 check-ins is one transaction', async () => {
  const ids = await makeMany(app, fixture.event, 200)
  const byHand = ids.map((registrationId) => ({ kind: 'hand' as const, registrationId }))
  const answers = await sync(byHand.map((act) => ({ scanId: randomUUID(), act, agoMs: 0, wasShownIn: true })))
  expect(answers.map(({ code }) => code)).toEqual(ids.map(() => null))
  const stored = await app.deps.db.selectFrom('scans').select(sql<string>`xmin::text`.as('xid')).execute()
  expect(stored).toHaveLength(200)
  expect(new Set(stored.map(({ xid }) => xid)).size).toBe(1)
})

test('the same batch sent ten times, also at once, has one effect and the same answers', async () => {
  const tickets = await Promise.all(Array.from({ length: 30 }, () => makeRegistration(app, fixture.event)))
  const scans = tickets.map((ticket) => noted(ticket))
  scans.push(takingBack(scans[3]?.scanId ?? ''))
  const first = await sync(scans)
  app.clock.now = new Date(app.clock.now.getTime() + MINUTE)
  const again = await Promise.all(Array.from({ length: 9 }, () => sync(scans)))
  for (const answers of again) expect(answers).toEqual(first)
  expect((await checkins()).filter(({ status }) => status)).toHaveLength(29)
  const log = await app.deps.db.selectFrom('changes').selectAll().where('subject', '=', 'checkin').execute()
  expect(log).toHaveLength(31)
  expect(await conflicts()).toEqual([])
})

test('a ticket let in on two phones without network is one check-in and one conflict, with both times, phones and people', async () => {
  const registration = await makeRegistration(app, fixture.event)
  await sync([noted(registration, { agoMs: 5 * MINUTE })], gateA)
  const lost = noted(registration, { agoMs: 9 * MINUTE })
  for (let n = 0; n < 3; n++) {
    const [answer] = await sync([lost], gateB)
    expect(answer).toMatchObject({ code: 'ALREADY_CHECKED_IN', checkin: { device: 'Gate A' } })
    expect(answer?.msg).toBe(`Already checked in at 18:55 by ${fixture.admin.fullName} on Gate A.`)
  }
  const minutesAgo = (minutes: number) => new Date(app.clock.now.getTime() - minutes * MINUTE)
  const by = fixture.admin.fullName
  expect(await conflicts()).toEqual([
    {
      scanId: lost.scanId,
      registrationId: registration.id,
      name: registration.registrationData.name,
      code: 'ALREADY_CHECKED_IN',
      scan: { at: minutesAgo(9), by, device: 'Gate B' },
      first: { at: minutesAgo(5), by, device: 'Gate A' },
      seenAt: null,
      seenBy: null,
      voucher: null,
      walkIn: null,
      money: null,
      isTakenBack: false,
    },
  ])
  expect(await checkins()).toHaveLength(1)
})

test('what was taken back stays so when both are sent again, although the ticket is valid by then', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const set = (status: 'cancelled' | 'confirmed') =>
    app.call(
      attendeeApi.updateStatus,
      { payload: { id: registration.id, eventId: fixture.event.id, status } },
      fixture.token,
    )
  await set('cancelled')
  const lost = noted(registration)
  const both = [lost, takingBack(lost.scanId)]
  const first = await sync(both)
  await set('confirmed')
  expect((await sync(both)).map(({ code }) => code)).toEqual(first.map(({ code }) => code))
  expect(await checkins()).toEqual([])
  expect(await conflicts()).toMatchObject([{ isTakenBack: true }])

  // Scans are kept for 90 days, conflicts for longer.
  await sweepOld({ db: app.deps.db, now: () => new Date(app.clock.now.getTime() + 91 * 24 * 60 * MINUTE) })
  expect(await app.deps.db.selectFrom('scans').selectAll().execute()).toEqual([])
  expect(await conflicts()).toMatchObject([{ isTakenBack: true }])
})

test('a scan that was refused, or that the phone did not show as valid, is no conflict', async () => {
  const registration = await makeRegistration(app, fixture.event)
  await sync([noted(registration)], gateA)
  await sync([noted(registration, { wasShownIn: false })], gateB)
  expect(await conflicts()).toEqual([])
})

test('a scan that the server refused while its answer was late is a conflict once the phone says that it let them in', async () => {
  const registration = await makeRegistration(app, fixture.event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(registration), fixture.token)
  const late = noted(registration)
  const { qrCodeData } = scanOf(registration).payload
  const payload = { qrCodeData, eventId: fixture.event.id, scanId: late.scanId }
  await expect(app.call(checkinApi.scanByRegistrationId, { payload }, fixture.token)).rejects.toThrow()
  expect(await conflicts()).toEqual([])
  await sync([late], gateB)
  expect(await conflicts()).toMatchObject([{ scanId: late.scanId, first: { device: null } }])
})

test('short codes that do not exist are limited here too, but not for what a phone has shown as valid', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const typed = (qrCodeData: string, wasShownIn = false) =>
    noted(registration, { act: { kind: 'code', qrCodeData }, wasShownIn })
  const guess = () => typed(`${registration.id}-00000000`)
  const guesses = await sync(Array.from({ length: 62 }, guess))
  expect(guesses.filter(({ code }) => code === 'NOT_FOUND')).toHaveLength(60)
  expect(guesses.filter(({ code }) => code === 'TOO_MANY_TRIES')).toHaveLength(2)
  const [asked] = await sync([typed(shortCode(registration))])
  expect(asked).toMatchObject({ code: 'TOO_MANY_TRIES', name: null, checkin: null })
  const [shown] = await sync([typed(shortCode(registration), true)])
  expect(shown?.code).toBeNull()
})

test('while the database does not answer the call fails, so that the phone sends its scans again', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const caller = await makeCallerOf(app.deps.db)(fixture.token, app.clock.now)
  const event = await makeOwnEvent(app.deps.db)(operator, fixture.event.id)
  if (caller?.role !== 'admin' || !event) throw new Error('They were just made.')
  const decide = () => Promise.reject(new Refusal('UNAVAILABLE'))
  const batch = { device: gateA, scans: [noted(registration)], language: 'en' as const }
  await expect(syncScans(app.deps, { decide, redeem: decide }, caller, event, batch)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
})

test('tickets cancelled or removed meanwhile are conflicts too', async () => {
  const [cancelled, removed] = [await makeRegistration(app, fixture.event), await makeRegistration(app, fixture.event)]
  const { id: eventId } = fixture.event
  await app.call(
    attendeeApi.updateStatus,
    { payload: { id: cancelled.id, eventId, status: 'cancelled' } },
    fixture.token,
  )
  await app.call(attendeeApi.removeRegistration, { registrationId: removed.id, eventId }, fixture.token)
  const answers = await sync([noted(cancelled), noted(removed)])
  expect(answers.map(({ code }) => code)).toEqual(['TICKET_CANCELLED', 'NOT_FOUND'])
  expect(await checkins()).toEqual([])
  const found = await conflicts()
  expect(new Map(found.map(({ registrationId, code, name, first }) => [registrationId, [code, name, first]]))).toEqual(
    new Map([
      [cancelled.id, ['TICKET_CANCELLED', cancelled.registrationData.name, null]],
      [removed.id, ['NOT_FOUND', null, null]],
    ]),
  )
})

test('conflicts are counted until somebody has looked into them', async () => {
  const registration = await makeRegistration(app, fixture.event)
  await sync([noted(registration)], gateA)
  const lost = noted(registration)
  await sync([lost], gateB)
  const { id: eventId } = fixture.event
  const needs = () => app.call(clubApi.getNeeds, { clubId: fixture.club.id }, fixture.token)
  const counted = async () => (await app.call(doorApi.getDoorList, { eventId }, fixture.token)).conflicts
  expect(await needs()).toEqual([{ kind: 'door conflicts', eventId, eventName: fixture.event.name, count: 1 }])
  expect(await counted()).toBe(1)
  const second = await makeEvent(app, fixture.token)
  const foreign = { eventId: second.id, scanIds: [lost.scanId] }
  expect(await app.call(doorApi.seeConflicts, { payload: foreign }, fixture.token)).toEqual([])
  expect(await counted()).toBe(1)
  const seen = await app.call(doorApi.seeConflicts, { payload: { eventId, scanIds: [lost.scanId] } }, fixture.token)
  expect(seen).toMatchObject([{ seenAt: app.clock.now, seenBy: fixture.admin.fullName }])
  expect([await needs(), await counted()]).toEqual([[], 0])
})

test('an undone scan does not count, in the phone’s order; an undone conflict needs no action', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const [first, again] = [noted(registration), noted(registration)]
  const answers = await sync([first, takingBack(first.scanId), again])
  expect(answers.map(({ code }) => code)).toEqual([null, null, null])
  expect(await checkins()).toMatchObject([{ status: true }])

  const lost = noted(registration)
  const undone = takingBack(lost.scanId)
  expect((await sync([lost, undone], gateB)).map(({ code }) => code)).toEqual(['ALREADY_CHECKED_IN', null])
  expect(await conflicts()).toMatchObject([{ seenBy: fixture.admin.fullName }])
  expect(await checkins()).toMatchObject([{ status: true, device: 'Gate A' }])
})

test('an undo does not revert what somebody else has changed since', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const first = noted(registration, { agoMs: MINUTE })
  await sync([first])
  const [undone] = await sync([takingBack(first.scanId)])
  expect(undone).toMatchObject({ code: null, registrationId: registration.id })
  await sync([noted(registration)], gateB)
  const [late, unknown] = await sync([takingBack(first.scanId), takingBack(randomUUID())])
  expect(late).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
  expect(unknown).toMatchObject({ code: 'NOT_FOUND' })
  expect(await checkins()).toMatchObject([{ status: true, device: 'Gate B' }])
})

test('a check-in that another phone made after the first was undone by hand is not taken back', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const first = noted(registration, { agoMs: MINUTE })
  await sync([first])
  const newCheckin = { registrationId: registration.id, status: false }
  await app.call(checkinApi.save, { payload: { newCheckin, eventId: fixture.event.id } }, fixture.token)
  await sync([noted(registration)], gateB)
  expect(await sync([takingBack(first.scanId)])).toMatchObject([{ code: 'ILLEGAL_TRANSITION' }])
  expect(await checkins()).toMatchObject([{ status: true, device: 'Gate B' }])
})

test('people are checked in by hand or short code; an unreadable scan does not block the rest', async () => {
  const [byHand, typed] = [await makeRegistration(app, fixture.event), await makeRegistration(app, fixture.event)]
  const foreign = await makeFixture(app)
  const stranger = await makeRegistration(app, foreign.event)
  const answers = await sync([
    noted(byHand, { act: { kind: 'code', qrCodeData: 'nonsense' } }),
    noted(byHand, { act: { kind: 'hand', registrationId: byHand.id } }),
    noted(typed, { act: { kind: 'code', qrCodeData: shortCode(typed) } }),
    noted(stranger, { act: { kind: 'hand', registrationId: stranger.id }, wasShownIn: false }),
    noted(stranger, { wasShownIn: false }),
  ])
  expect(answers.map(({ code }) => code)).toEqual(['INVALID_QR', null, null, 'NOT_FOUND', 'NOT_FOUND'])
  expect((await checkins()).map(({ registrationId }) => registrationId)).toEqual([byHand.id, typed.id])
})

test('a scan from a signed-out phone without its code is still the same scan', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const scan = noted(registration)
  const [first] = await sync([scan])
  const codeHash = createHash('sha256').update(ticketUrl(BASE_URL, registration)).digest('hex')
  const act = { kind: 'hand' as const, registrationId: registration.id, codeHash }
  expect(await sync([{ ...scan, act }])).toEqual([first])
})

test('a scanId that belongs to another scan is refused and changes nothing', async () => {
  const [one, two] = [await makeRegistration(app, fixture.event), await makeRegistration(app, fixture.event)]
  const first = noted(one)
  await sync([first])
  const units = [{ name: 'Drinks', count: 1 }]
  const acts: QueuedScan['act'][] = [
    { kind: 'hand', registrationId: two.id },
    { kind: 'redeem', registrationId: two.id, extrasPurchaseId: 1, units },
    { kind: 'undo', scanId: first.scanId },
  ]
  for (const act of acts) {
    const [answer] = await sync([noted(two, { scanId: first.scanId, act })])
    expect(answer).toMatchObject({ code: 'INVALID_INPUT', registrationId: null })
    expect(answer?.msg).toBe('This scanId belongs to another scan.')
  }
  expect(await checkins()).toHaveLength(1)
})

test('what a phone sends about another club’s tickets and vouchers leaves no trace in that club', async () => {
  const { club, token } = await makeClub(app, fixture.sudo.token)
  const event = await makeEvent(app, token)
  const drinks = await makeExtras(app, token, event.id)
  const theirs = await makeRegistration(app, event, { extrasIds: [drinks.id] })
  const { extras } = await app.call(ticketApi.getRegistration, { registrationId: theirs.id }, token)
  const timeline = () => app.call(attendeeApi.getTimeline, { registrationId: theirs.id, eventId: event.id }, token)
  const before = await timeline()

  const secret = { id: theirs.id, qrUuid: randomUUID() }
  const units = [{ name: 'Drinks', count: 1 }]
  const acts: QueuedScan['act'][] = [
    { kind: 'hand', registrationId: theirs.id },
    { kind: 'code', qrCodeData: ticketUrl(BASE_URL, theirs) },
    { kind: 'code', qrCodeData: shortCode(secret) },
    { kind: 'redeem', registrationId: theirs.id, extrasPurchaseId: extras[0]?.id ?? 0, units },
  ]
  const answers = await sync(acts.map((act) => noted(theirs, { act })))
  expect(answers.map(({ code, name }) => [code, name])).toEqual(acts.map(() => ['NOT_FOUND', null]))
  expect(await timeline()).toEqual(before)
  const log = app.deps.db.selectFrom('changes').select('id').where('subject', 'in', ['registration', 'checkin'])
  expect(await log.where('subjectId', '=', theirs.id).where('clubId', '<>', club.id).execute()).toEqual([])
  // The phone's own club still gets the conflicts.
  expect(await conflicts()).toHaveLength(acts.length)

  // Rows written by an older version are not shown either.
  const row = { at: app.clock.now, userId: fixture.admin.id, subject: 'checkin' as const, subjectId: theirs.id }
  await logChanges(app.deps.db, [{ ...row, clubId: fixture.club.id, action: 'let in against the list' }])
  expect(await timeline()).toEqual(before)
})

test('a check-in is noted at the time of its arrival, although its transaction begins later', async () => {
  const registration = await makeRegistration(app, fixture.event)
  const { caller, own: event } = await callerAt(app, fixture.token, fixture.event)
  const arrived = app.clock.now
  const scan = { scanId: randomUUID(), codeHash: '', scannedAt: null, at: arrived, device: null, wasShownIn: false }
  const decided = makeDecide(app.deps)({ event, caller, code: { kind: 'hand', id: registration.id }, ...scan })
  app.clock.now = new Date(arrived.getTime() + 60_000)
  expect((await decided).outcome.code).toBeNull()
  const noted = app.deps.db.selectFrom('scans').select('receivedAt').where('scanId', '=', scan.scanId)
  expect(await noted.execute()).toEqual([{ receivedAt: arrived }])
})
