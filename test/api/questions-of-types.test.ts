import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { historyApi } from '../../src/contract/history.ts'
import { type RegistrationData, registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeEvent, makeFixture, makeForm, registrationFor } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
/** The ids of the two ticket types, and of the questions for all, for adults and for children. */
let adult: number
let child: number
let meal: number
let drink: number
let age: number
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
  fixture = await makeFixture(app)
  const [first] = await app.call(ticketTypeApi.getTicketTypes, { eventId: fixture.event.id })
  const types = await saveTypes([{ id: first?.id, name: 'Adult' }, { name: 'Child' }])
  adult = types[0]?.id ?? 0
  child = types[1]?.id ?? 0
  const questions = await makeForm(app, fixture.token, fixture.event.id, [
    { typeId: 0, text: 'Meal', required: false, options: [] },
    { typeId: 0, text: 'Drink', required: true, options: [], ticketTypeIds: [adult] },
    { typeId: 0, text: 'Age', required: true, options: [], ticketTypeIds: [child] },
  ])
  meal = questions[0]?.id ?? 0
  drink = questions[1]?.id ?? 0
  age = questions[2]?.id ?? 0
})
afterEach(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const saveTypes = (ticketTypes: object[]) =>
  app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId: fixture.event.id, ticketTypes } }, fixture.token)
const form = () => app.call(formApi.getFormQuestions, { eventId: fixture.event.id })
type Others = RegistrationData['others']

async function register(ticketTypeId: number | undefined, others: Others) {
  const { newRegistration, ...rest } = registrationFor(fixture.event, { others })
  const of = { ...newRegistration, ...(ticketTypeId !== undefined && { ticketTypeId }) }
  return (await app.call(registrationApi.initRegistration, { ...rest, newRegistration: of })).savedRegistration
}
const answers = ({ registrationData }: { registrationData: { others: { question: string; answer: unknown }[] } }) =>
  Object.fromEntries(registrationData.others.map(({ question, answer }) => [question, answer]))

test('a visitor answers the questions for every ticket and those for the chosen one', async () => {
  expect((await form()).map(({ ticketTypeIds }) => ticketTypeIds)).toEqual([[], [adult], [child]])
  const kid = await register(child, [
    { qId: age, answer: '7' },
    { qId: meal, answer: 'Pasta' },
  ])
  expect(answers(kid)).toEqual({ Meal: 'Pasta', Age: '7' })
  // The first ticket is taken where none is named.
  expect(answers(await register(undefined, [{ qId: drink, answer: 'Beer' }]))).toEqual({ Drink: 'Beer' })
  const refusal = await refusalOf(register(child, [{ qId: drink, answer: 'Beer' }]), 'INVALID_INPUT')
  expect(refusal.fields.map(({ path, msg }) => [path, msg()])).toEqual([
    ['newRegistration.registrationData.others.1.answer', 'Age: Please answer this question.'],
  ])
})

test('answers of a program that knows nothing of ticket types are taken, those for other tickets ignored', async () => {
  const all = [meal, drink, age].map((qId) => ({ qId, answer: 'x' }))
  expect(answers(await register(adult, all))).toEqual({ Meal: 'x', Drink: 'x' })
  // The place of an error is that in the input.
  const refusal = await refusalOf(
    register(child, [
      { qId: drink, answer: 'x' },
      { qId: age, answer: 'x'.repeat(301) },
    ]),
    'INVALID_INPUT',
  )
  expect(refusal.fields.map(({ path }) => path)).toEqual(['newRegistration.registrationData.others.1.answer'])
  const unknown = await refusalOf(
    register(adult, [
      { qId: drink, answer: 'x' },
      { qId: 999_999, answer: 'x' },
    ]),
    'INVALID_INPUT',
  )
  expect(unknown.fields.map(({ path }) => path)).toEqual(['newRegistration.registrationData.others.1.qId'])
})

test('a correction asks what the ticket asks, and keeps the answers to the rest', async () => {
  const { event, token } = fixture
  const kid = await register(child, [{ qId: age, answer: '7' }])
  const correct = ({ id, qrUuid }: typeof kid, others: Others) =>
    app.call(ticketApi.correct, {
      payload: { registrationId: id, qrUuid, registrationData: { name: 'Kim', phone: '+49 30 1234567', others } },
    })
  expect(
    answers(
      await correct(kid, [
        { qId: age, answer: '8' },
        { qId: drink, answer: 'Beer' },
      ]),
    ),
  ).toEqual({ Age: '8' })
  await refusalOf(correct(kid, []), 'INVALID_INPUT')
  const save = (fields: object, others: Others) =>
    app.call(
      attendeeApi.save,
      {
        payload: {
          eventId: event.id,
          extrasIds: [],
          registrationData: { name: 'Kim', email: '', phone: '', others },
          ...fields,
        },
      },
      token,
    )
  expect(answers(await save({ id: kid.id }, [{ qId: age, answer: '9' }]))).toEqual({ Age: '9' })
  await refusalOf(save({ id: kid.id }, [{ qId: drink, answer: 'Beer' }]), 'INVALID_INPUT')
  const added = {
    ticketTypeId: child,
    registrationData: { name: 'Lou', email: '', phone: '', others: [{ qId: age, answer: '5' }] },
  }
  expect(answers(await save(added, []))).toEqual({ Age: '5' })
  // Asked only of adults from now on: the child keeps what was answered, and is asked no more.
  const rows = await form()
  const formQuestions = rows.map(({ eventId: _, position: __, ...row }) =>
    row.id === age ? { ...row, ticketTypeIds: [adult] } : row,
  )
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
  expect(answers(await correct(kid, [{ qId: meal, answer: 'Pasta' }]))).toEqual({ Meal: 'Pasta', Age: '9' })
  expect(answers(await save({ id: kid.id }, []))).toEqual({ Age: '9' })
})

test('a question names ticket types of its event; left out, they stay', async () => {
  const { event, token } = fixture
  const other = await makeEvent(app, token)
  const [foreign] = await app.call(ticketTypeApi.getTicketTypes, { eventId: other.id })
  const save = (fields: object) =>
    makeForm(app, token, event.id, [{ id: drink, typeId: 0, text: 'Drink', required: true, options: [], ...fields }])
  for (const ids of [[foreign?.id ?? 0], [adult, 999_999]]) {
    const refusal = await refusalOf(save({ ticketTypeIds: ids }), 'INVALID_INPUT')
    expect(refusal.fields.map(({ path }) => path)).toEqual(['payload.formQuestions.0.ticketTypeIds'])
  }
  const of = async () => (await form()).find(({ id }) => id === drink)
  const before = await of()
  await save({})
  expect(await of()).toMatchObject({ ticketTypeIds: [adult], version: before?.version })
  await save({ ticketTypeIds: [child, adult, child] })
  expect(await of()).toMatchObject({ ticketTypeIds: [adult, child], version: (before?.version ?? 0) + 1 })
  await save({ ticketTypeIds: [adult, child] })
  expect(await of()).toMatchObject({ version: (before?.version ?? 0) + 1 })
  await save({ ticketTypeIds: [] })
  const history = await app.call(historyApi.getHistory, { clubId: event.clubId }, token)
  expect(history.entries[0]?.changes).toMatchObject([
    { field: 'Asked for (“Drink”)', before: 'Adult, Child', after: 'Every ticket' },
  ])
})

test('a ticket type that a question names stays when it is taken off sale, and its question is asked of nobody else', async () => {
  const types = await saveTypes([{ id: adult }])
  expect(types.map(({ id, removedAt }) => [id, removedAt === null])).toEqual([
    [adult, true],
    [child, false],
  ])
  const grown = await register(undefined, [{ qId: drink, answer: 'Beer' }])
  const ticket = await app.call(ticketApi.getRegistration, { registrationId: grown.id, qrUuid: grown.qrUuid })
  expect(ticket.ticketType).toMatchObject({ id: adult })
})

test('a copied event asks the copied tickets, without the questions for tickets no longer on sale', async () => {
  const { event, token } = fixture
  await saveTypes([{ id: adult }, { name: 'Youth' }])
  const startsAt = new Date('2027-11-27T18:00:00.000Z')
  const copy = await app.call(eventApi.copy, { payload: { eventId: event.id, startsAt } }, token)
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId: copy.id }, token)
  const questions = await app.call(formApi.getFormQuestions, { eventId: copy.id }, token)
  expect(questions.map(({ text, ticketTypeIds }) => [text, ticketTypeIds])).toEqual([
    ['Meal', []],
    ['Drink', [types.find(({ name }) => name === 'Adult')?.id]],
  ])
})
