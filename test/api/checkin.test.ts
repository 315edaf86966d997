import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

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
