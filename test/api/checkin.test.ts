import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { hashOf } from '../../src/server/tokens.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { countWaiting } from '../support/waiting.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const later = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000)
}

test('a ticket is let in by its address, its JSON form, or the short code', async () => {
  const { event, token } = await makeFixture(app)
  const forms = [
    (id: number, qrUuid: string) => `https://old-host.example/qr/${id}/${qrUuid}`,
    (id: number, qrUuid: string) => JSON.stringify({ id, qrUuid }),
    (id: number, qrUuid: string) => shortCode({ id, qrUuid }).toLowerCase(),
  ]
  for (const form of forms) {
    const { id, qrUuid } = await makeRegistration(app, event)
    const payload = { qrCodeData: form(id, qrUuid), eventId: event.id }
    const answer = await app.call(checkinApi.scanByRegistrationId, { payload }, token)
    expect(answer).toMatchObject({ registration: { id }, checkin: { status: true, registrationId: id } })
  }
})

test('a second scan says when and by whom the first was', async () => {
  const { event, token, admin } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
  later(90)
  const refusal = await refusalOf(
    app.call(checkinApi.scanByRegistrationId, scanOf(registration), token),
    'ALREADY_CHECKED_IN',
  )
  expect(refusal.message).toBe(`Already checked in at 19:00 by ${admin.fullName}.`)
  expect(refusal.payload).toMatchObject({ checkin: { checkinTime: '2026-11-20T18:00:00.000Z' } })
})

test('a repeated scan gets its first answer, success or refusal', async () => {
  const { event, token } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  const [first, second] = [scanOf(registration), scanOf(registration)]
  const answer = await app.call(checkinApi.scanByRegistrationId, first, token)
  later(5)
  await refusalOf(app.call(checkinApi.scanByRegistrationId, second, token), 'ALREADY_CHECKED_IN')
  expect(await app.call(checkinApi.scanByRegistrationId, first, token)).toEqual(answer)
  await app.deps.db.updateTable('checkins').set({ status: false, checkinTime: null }).execute()
  await refusalOf(app.call(checkinApi.scanByRegistrationId, second, token), 'ALREADY_CHECKED_IN')
})

test('a scan whose id another server stores at that moment gets the outcome stored there, and lets nobody else in', async () => {
  const { event, token } = await makeFixture(app)
  const other = await app.another()
  const scanId = crypto.randomUUID()
  const unknown = { payload: { qrCodeData: JSON.stringify({ id: 1, qrUuid: scanId }), eventId: event.id, scanId } }
  const held = await app.deps.db.startTransaction().execute()
  const row = { scanId, eventId: event.id, scannedAt: null, receivedAt: app.clock.now }
  const outcome = { code: 'NOT_ALLOWED', registrationId: null, checkin: null, eventName: null }
  const codeHash = hashOf(unknown.payload.qrCodeData)
  await held
    .insertInto('scans')
    .values({ ...row, codeHash, outcome: JSON.stringify(outcome) })
    .execute()
  onTestFinished(async () => {
    if (!held.isCommitted) await held.rollback().execute()
  })
  const registration = await makeRegistration(app, event)
  const same = refusalOf(app.call(checkinApi.scanByRegistrationId, unknown, token), 'NOT_ALLOWED')
  const ofTicket = refusalOf(
    other.call(checkinApi.scanByRegistrationId, scanOf(registration, event.id, scanId), token),
    'INVALID_INPUT',
  )
  await vi.waitFor(async () => expect(await countWaiting(app.deps.db)).toBe(2), 10_000)
  await held.commit().execute()
  await Promise.all([same, ofTicket])
  // The check-in that had been made with it was undone.
  await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
})

test('one scan id for many tickets at once, on two servers, lets one of them in', async () => {
  const { event, token } = await makeFixture(app)
  const other = await app.another()
  const scanId = crypto.randomUUID()
  const registrations = await Promise.all(
    Array.from({ length: 12 }, (_, n) => makeRegistration(app, event, { name: `Guest ${n}` })),
  )
  const scans = registrations.map((each, n) =>
    (n % 2 === 0 ? app : other).call(checkinApi.scanByRegistrationId, scanOf(each, event.id, scanId), token),
  )
  expect(await countOutcomes(scans)).toEqual({ ok: 1, INVALID_INPUT: 11 })
  const inside = await app.deps.db.selectFrom('checkins').select('registrationId').where('status', '=', true).execute()
  expect(inside).toHaveLength(1)
})

test('a scan id in capitals is the same scan', async () => {
  const { event, token } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  const scanId = crypto.randomUUID()
  const scan = (id: string) => app.call(checkinApi.scanByRegistrationId, scanOf(registration, event.id, id), token)
  const answer = await scan(scanId.toUpperCase())
  expect(await scan(scanId.toUpperCase())).toEqual(answer)
  expect(await scan(scanId)).toEqual(answer)
})

test('codes that are no ticket of this event are refused with distinct reasons', async () => {
  const { event, token, sudo } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  const second = await makeEvent(app, token, { name: 'Winter ball' })
  const foreignClub = await makeClub(app, sudo.token)
  const foreignEvent = await makeEvent(app, foreignClub.token)
  const foreign = await makeRegistration(app, foreignEvent)
  const scan = (qrCodeData: string, eventId = event.id) =>
    app.call(checkinApi.scanByRegistrationId, { payload: { qrCodeData, eventId } }, token)
  const { id, qrUuid } = registration

  await refusalOf(scan('hello'), 'INVALID_QR')
  await refusalOf(scan('https://example.org/qr/1/not-a-uuid'), 'INVALID_QR')
  await refusalOf(scan(`https://turnout.test/qr/${id}/${qrUuid}?type=voucher`), 'WRONG_SCANNER')
  await refusalOf(scan(JSON.stringify({ id, qrUuid: crypto.randomUUID() })), 'NOT_FOUND')
  await refusalOf(scan(shortCode({ id, qrUuid: qrUuid.startsWith('00000000') ? '11111111' : '00000000' })), 'NOT_FOUND')
  await refusalOf(scan(JSON.stringify({ id: foreign.id, qrUuid: foreign.qrUuid })), 'NOT_FOUND')
  const wrong = await refusalOf(scan(JSON.stringify({ id, qrUuid }), second.id), 'WRONG_EVENT')
  expect(wrong.message).toBe('This ticket is for another event: Summer party.')
  await app.deps.db
    .updateTable('registrations')
    .set({ status: 'cancelled', cancelReason: 'staff' })
    .where('id', '=', id)
    .execute()
  await refusalOf(scan(JSON.stringify({ id, qrUuid })), 'TICKET_CANCELLED')
})
