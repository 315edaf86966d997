import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { formatFields } from '../../src/contract/errors.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { makeEvent, makeFixture, makeRegistration, registrationFor, scanOf } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeAll(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
afterAll(() => app.stop())

// Node knows these two, PostgreSQL does not.
const unknownZone = 'US/Pacific-New'

test('a time zone that the database does not know is refused on save', async () => {
  const { event, club, token } = fixture
  for (const call of [
    () => app.call(eventApi.save, { id: event.id, timeZone: unknownZone }, token),
    () => app.call(clubApi.save, { id: club.id, timeZone: unknownZone }, token),
  ]) {
    const { fields } = await refusalOf(call(), 'INVALID_INPUT')
    expect(formatFields(fields)).toEqual([{ path: 'timeZone', msg: expect.stringContaining('not known here') }])
  }
})

test('an event that already has such a time zone keeps the same statistics', async () => {
  const { token } = fixture
  const event = await makeEvent(app, token, { timeZone: 'America/Los_Angeles' })
  const registration = await makeRegistration(app, event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
  const statistics = () => app.call(statisticsApi.getStatistics, { eventId: event.id, date: '2026-11-20' }, token)
  const before = await statistics()
  expect(before).toMatchObject({ historicalRegistrationCount: 1, historicalCheckinCount: 1 })
  await app.deps.db.updateTable('events').set({ timeZone: unknownZone }).where('id', '=', event.id).execute()
  expect(await statistics()).toEqual(before)
})

test('a currency or an amount that cards cannot be charged is refused by its field', async () => {
  const { club, token } = fixture
  await refusalOf(app.call(clubApi.save, { id: club.id, currency: 'zzz' }, token), 'INVALID_INPUT')
  const event = await makeEvent(app, token, { currency: 'kwd', status: 'draft' })
  const price = await refusalOf(app.call(eventApi.save, { id: event.id, ticketPrice: 1_505 }, token), 'INVALID_INPUT')
  expect(price.fields).toMatchObject([{ path: 'ticketPrice' }])
  const voucher = { eventId: event.id, name: 'Soup', description: '', price: 1_505, content: [], maxQuantity: null }
  const soup = await refusalOf(app.call(extrasApi.saveExtras, { payload: voucher }, token), 'INVALID_INPUT')
  expect(soup.fields).toMatchObject([{ path: 'payload.price' }])
})

test('a visitor’s name must not be a web address or invisible; staff may write anything', async () => {
  const { event, token } = fixture
  for (const name of ['\u200b\u200b', 'Win at evil.com']) {
    const response = await app.raw(registrationApi.initRegistration, registrationFor(event, { name }))
    const path = 'newRegistration.registrationData.name'
    expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path }] }])
  }
  const { registrationData } = registrationFor(event, { name: 'Team club.com' }).newRegistration
  const payload = { eventId: event.id, registrationData, extrasIds: [] }
  expect((await app.call(attendeeApi.save, { payload }, token)).registrationData.name).toBe('Team club.com')
})
