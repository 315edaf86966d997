import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeFixture, registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
let ids: { meal: number; car: number }
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app, { maxPerEmail: 10, phoneField: 'off' })
  const question = (text: string) => ({ typeId: 0, text, required: true, options: [] })
  const formQuestions = [question('Meal'), { ...question('Car'), askedOf: 'order' as const }]
  const payload = { eventId: fixture.event.id, formQuestions, rmQIds: [] }
  const [meal, car] = await app.call(formApi.save, { payload }, fixture.token)
  ids = { meal: meal?.id ?? 0, car: car?.id ?? 0 }
  expect([meal?.askedOf, car?.askedOf]).toEqual(['attendee', 'order'])
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

type Request = Input<typeof registrationApi.initRegistration>
const meal = (answer: string) => ({ qId: ids.meal, answer })
const car = (answer: string) => ({ qId: ids.car, answer })
const register = (others: Request['newRegistration']['registrationData']['others'], more: Partial<Request> = {}) =>
  app.call(registrationApi.initRegistration, {
    ...registrationFor(fixture.event, { others }),
    companions: [companion({ others: [meal('Soup')] })],
    ...more,
  })
const answersOf = (registration: { registrationData: { others: { answer: string | string[] }[] } } | undefined) =>
  registration?.registrationData.others.map(({ answer }) => answer)

test('a question for the order is asked of whoever registers, once', async () => {
  const { registrations = [] } = await register([meal('Fish'), car('Blue van')])
  expect(registrations.map(answersOf)).toEqual([['Fish', 'Blue van'], ['Soup']])
  const missing = await refusalOf(register([meal('Fish')]), 'INVALID_INPUT')
  expect(missing.fields.map(({ path }) => path)).toEqual(['newRegistration.registrationData.others.1.answer'])
})

test('its answer may be given apart, and is part of what makes two requests the same', async () => {
  const request = { ...registrationFor(fixture.event, { others: [meal('Fish')] }), idempotencyKey: 'k1' }
  const { registrations = [] } = await register([], { ...request, orderAnswers: [car('Bike')] })
  expect(registrations.map(answersOf)).toEqual([['Fish', 'Bike'], ['Soup']])
  await refusalOf(register([], { ...request, orderAnswers: [car('Train')] }), 'IDEMPOTENCY_MISMATCH')
  const wrong = await refusalOf(register([meal('Fish')], { orderAnswers: [car('')] }), 'INVALID_INPUT')
  expect(wrong.fields.map(({ path }) => path)).toEqual(['orderAnswers.0.answer'])
})

test('a companion is never asked it: not when they correct their ticket, nor when staff do', async () => {
  const { registrations = [] } = await register([meal('Fish'), car('Van')])
  const [contact, other] = registrations
  if (!contact || !other) throw new Error('An order of two.')
  const correct = ({ id: registrationId, qrUuid }: typeof other) =>
    app.call(ticketApi.correct, {
      payload: { registrationId, qrUuid, registrationData: { name: 'Zoe', phone: '', others: [meal('Rice')] } },
    })
  expect(answersOf(await correct(other))).toEqual(['Rice'])
  await refusalOf(correct(contact), 'INVALID_INPUT')
  const { name, email } = other.registrationData
  const registrationData = { name, email, phone: '', others: [meal('Stew')] }
  const payload = { id: other.id, eventId: fixture.event.id, registrationData, extrasIds: [] }
  expect(answersOf(await app.call(attendeeApi.save, { payload }, fixture.token))).toEqual(['Stew'])
})

test('a question for the order is for every ticket: else it might be asked of nobody', async () => {
  const eventId = fixture.event.id
  const [type] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const car = { id: ids.car, typeId: 0, text: 'Car', required: true, options: [], ticketTypeIds: [type?.id ?? 0] }
  const save = app.call(formApi.save, { payload: { eventId, formQuestions: [car], rmQIds: [ids.meal] } }, fixture.token)
  const refusal = await refusalOf(save, 'INVALID_INPUT')
  expect(refusal.fields.map(({ path }) => path)).toEqual(['payload.formQuestions.0.ticketTypeIds'])
})
