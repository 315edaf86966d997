import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeExtras, makeFixture, makeRegistration } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeAll(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
afterAll(() => app.stop())

test('a correction made on an older version is refused, by staff and by the holder, and nothing is overwritten', async () => {
  const { event, token } = fixture
  const registration = await makeRegistration(app, event)
  const { id, qrUuid, version, registrationData } = registration
  const byStaff = (name: string, seen?: number) => {
    const payload = { id, eventId: event.id, registrationData: { ...registrationData, name }, extrasIds: [] }
    return app.call(attendeeApi.save, { payload: { ...payload, version: seen } }, token)
  }
  const byHolder = (name: string, seen?: number) => {
    const { email: _, ...data } = { ...registrationData, name }
    return app.call(ticketApi.correct, {
      payload: { registrationId: id, qrUuid, registrationData: data, version: seen },
    })
  }
  const corrected = await byHolder('By the holder', version)
  expect(corrected.version).toBe(version + 1)
  await refusalOf(byStaff('By staff', version), 'EDIT_CONFLICT')
  const again = await byStaff('By staff', corrected.version)
  expect(again.registrationData.name).toBe('By staff')
  await refusalOf(byHolder('By the holder', corrected.version), 'EDIT_CONFLICT')
  // Clients that do not know versions work as before.
  expect((await byStaff('Without a version')).registrationData.name).toBe('Without a version')
  expect((await byHolder('Nor the holder')).registrationData.name).toBe('Nor the holder')
})

test('of two corrections of the same version at once, one is saved', async () => {
  const { event, token } = fixture
  const { id, version, registrationData } = await makeRegistration(app, event)
  const save = (name: string) => {
    const payload = { id, eventId: event.id, registrationData: { ...registrationData, name }, extrasIds: [], version }
    return app.call(attendeeApi.save, { payload }, token)
  }
  expect(await countOutcomes(['A', 'B', 'C', 'D'].map(save))).toEqual({ ok: 1, EDIT_CONFLICT: 3 })
})

test('changes other than corrections leave the version as it is', async () => {
  const { event, token } = fixture
  const { id, version } = await makeRegistration(app, event)
  for (const status of ['cancelled', 'confirmed'] as const) {
    const changed = await app.call(attendeeApi.updateStatus, { payload: { id, eventId: event.id, status } }, token)
    expect(changed.version).toBe(version)
  }
})

test('a voucher edited on an older version is refused; selling it is no edit', async () => {
  const { event, token } = fixture
  const { id, version } = await makeExtras(app, token, event.id, { price: 0 })
  await makeRegistration(app, event, { extrasIds: [id] })
  const save = (name: string, seen?: number) => {
    const fields = { name, description: '', price: 0, content: [], maxQuantity: null }
    return app.call(extrasApi.saveExtras, { payload: { id, eventId: event.id, ...fields, version: seen } }, token)
  }
  expect((await save('First', version)).version).toBe(version + 1)
  await refusalOf(save('Second', version), 'EDIT_CONFLICT')
  expect((await save('Third')).name).toBe('Third')
})

test('a person edited on an older version is refused', async () => {
  const { admin, club, token } = fixture
  const save = (fullName: string, seen?: number) =>
    app.call(
      appUserApi.save,
      { payload: { id: admin.id, fullName, email: admin.email, clubId: club.id, version: seen } },
      token,
    )
  expect((await save('First', admin.version)).version).toBe(admin.version + 1)
  await refusalOf(save('Second', admin.version), 'EDIT_CONFLICT')
  expect((await save('Third')).fullName).toBe('Third')
})

test('only staff are told how many of a voucher are used up', async () => {
  const { event, token } = fixture
  const { id } = await makeExtras(app, token, event.id, { name: 'Soup', price: 0 })
  const registration = await makeRegistration(app, event, { extrasIds: [id] })
  const { extras } = await app.call(ticketApi.getRegistration, { registrationId: registration.id }, token)
  const qrCodeData = ticketUrl(BASE_URL, registration)
  const payload = { qrCodeData, eventId: event.id, extrasPurchaseIds: extras.map((purchase) => purchase.id) }
  await app.call(redemptionApi.scanByExtrasPurchaseId, { payload }, token)
  const soup = async (as?: string) =>
    (await app.call(extrasApi.getExtras, { eventId: event.id }, as)).find((voucher) => voucher.id === id)
  expect(await soup(token)).toMatchObject({ soldCount: 1, redeemedCount: 1 })
  expect(await soup()).toMatchObject({ soldCount: 1 })
  expect(await soup()).not.toHaveProperty('redeemedCount')
  expect(await soup()).not.toHaveProperty('soldAmount')
})

test('of two simultaneous edits the second is refused, and nothing of the first is overwritten', async () => {
  const { event, club, token } = await makeFixture(app)
  await app.call(eventApi.save, { id: event.id, version: event.version, name: 'First' }, token)
  await refusalOf(
    app.call(eventApi.save, { id: event.id, version: event.version, name: 'Second' }, token),
    'EDIT_CONFLICT',
  )
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({
    name: 'First',
    version: event.version + 1,
  })
  const save = (name: string) => app.call(clubApi.save, { id: club.id, version: club.version, name }, token)
  expect(await countOutcomes([save('A'), save('B'), save('C')])).toEqual({ ok: 1, EDIT_CONFLICT: 2 })
})
