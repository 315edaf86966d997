import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { formatFields } from '../../src/contract/errors.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import type { PhoneField } from '../../src/contract/phone-field.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeEvent, makeFixture, makeForm, registrationFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/** An event that asks for the phone number so, and how a visitor registers for it with this number. */
async function asking(phoneField?: PhoneField) {
  const { event, token } = await makeFixture(app, phoneField && { phoneField })
  const register = async (phone: string) => {
    const { savedRegistration } = await app.call(registrationApi.initRegistration, registrationFor(event, { phone }))
    return savedRegistration
  }
  return { event, token, register, phoneOf: async (phone: string) => (await register(phone)).registrationData.phone }
}

/** A registration that does not mention the phone number at all. */
function withoutPhone(event: Event) {
  const { newRegistration } = registrationFor(event)
  const { phone: _, ...registrationData } = newRegistration.registrationData
  return { newRegistration: { ...newRegistration, registrationData } }
}

const field = 'newRegistration.registrationData.phone'

test('an event that says nothing about it needs a phone number', async () => {
  const { event, register, phoneOf } = await asking()
  expect(event.phoneField).toBe('required')
  for (const missing of ['', '  ']) {
    const { fields } = await refusalOf(register(missing), 'INVALID_INPUT')
    expect(formatFields(fields)).toEqual([{ path: field, msg: 'Enter a phone number.' }])
  }
  expect((await app.raw(registrationApi.initRegistration, withoutPhone(event))).status).toBe(422)
  expect(await phoneOf('030 1234567')).toBe('+49301234567')
})

test('an optional number may be empty or left out, but not wrong', async () => {
  const { event, register, phoneOf } = await asking('optional')
  expect(await phoneOf('')).toBe('')
  expect(await phoneOf('030 1234567')).toBe('+49301234567')
  for (const wrong of ['+999 1234567', 'call me'])
    expect((await refusalOf(register(wrong), 'INVALID_INPUT')).fields[0]?.path).toBe(field)
  expect((await app.raw(registrationApi.initRegistration, withoutPhone(event))).status).toBe(200)
})

test('a number that nobody asked for is not kept', async () => {
  const { phoneOf } = await asking('off')
  expect(await phoneOf('')).toBe('')
  expect(await phoneOf('030 1234567')).toBe('')
  // It is no number, but nobody needs it either.
  expect(await phoneOf('+999 1234567')).toBe('')
})

test('the form decides about the phone number, in one save with its questions, and keeps it when it says nothing', async () => {
  const { event, token } = await asking()
  const save = (phoneField: PhoneField, rmQIds: number[] = []) =>
    app.call(formApi.save, { payload: { eventId: event.id, formQuestions: [], rmQIds, phoneField } }, token)
  await save('optional')
  const read = () => app.call(eventApi.getEvent, { eventId: event.id })
  expect(await read()).toMatchObject({ phoneField: 'optional', version: event.version + 1 })
  await makeForm(app, token, event.id, [{ typeId: 0, text: 'Boat', required: false, options: [] }])
  await save('optional')
  expect(await read()).toMatchObject({ phoneField: 'optional', version: event.version + 1 })
  const edited = await app.call(eventApi.save, { id: event.id, name: 'Regatta' }, token)
  expect(edited.phoneField).toBe('optional')
  // Whoever has seen the event before cannot overwrite it unseen.
  const stale = { id: event.id, phoneField: 'required' as const, version: event.version }
  await refusalOf(app.call(eventApi.save, stale, token), 'EDIT_CONFLICT')
})

test('a copy asks as the original does', async () => {
  const { event, token } = await asking('off')
  const payload = { eventId: event.id, startsAt: new Date('2027-04-03T17:00:00Z') }
  expect((await app.call(eventApi.copy, { payload }, token)).phoneField).toBe('off')
  expect((await makeEvent(app, token)).phoneField).toBe('required')
})

test('staff may leave the number empty where it is required, and note one where it is not asked for', async () => {
  const needed = await asking('required')
  const unasked = await asking('off')
  const add = async ({ event, token }: typeof needed, phone: string) => {
    const registrationData = { name: 'Ada', email: '', phone, others: [] }
    const payload = { eventId: event.id, registrationData, extrasIds: [] }
    return (await app.call(attendeeApi.save, { payload }, token)).registrationData.phone
  }
  expect(await add(needed, '')).toBe('')
  expect(await add(unasked, '030 1234567')).toBe('+49301234567')
})

test('a ticket holder corrects by the same rule, and can remove a number that is no longer asked for', async () => {
  const { event, token, register } = await asking('required')
  const holder = await register('030 1234567')
  const correct = async ({ id, qrUuid }: typeof holder, phone: string) => {
    const registrationData = { name: `Ada ${id}`, phone, others: [] }
    const payload = { registrationId: id, qrUuid, registrationData }
    return (await app.call(ticketApi.correct, { payload })).registrationData.phone
  }
  await refusalOf(correct(holder, ''), 'INVALID_INPUT')
  await app.call(eventApi.save, { id: event.id, phoneField: 'off' }, token)
  expect(await correct(holder, '030 7654321')).toBe('+49307654321')
  expect(await correct(holder, '')).toBe('')
  expect(await correct(holder, '030 7654321')).toBe('')
  const { id: registrationId, qrUuid } = holder
  const unsaid = { payload: { registrationId, qrUuid, registrationData: { name: 'Ada', others: [] } } }
  expect((await app.raw(ticketApi.correct, unsaid)).status).toBe(422)
})
