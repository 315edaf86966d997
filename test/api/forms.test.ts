import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { formatFields } from '../../src/contract/errors.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeEvent, makeFixture, makeForm, makeRegistration, registrationFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const short = { typeId: 0, text: 'Club number', required: false, options: [] }
const meal = { typeId: 2, text: 'Meal', required: true, options: ['Meat', 'Vegetables'] }
const days = { typeId: 3, text: 'Days', required: false, options: ['Friday', 'Saturday'] }

test('a form is saved as a whole, in the order given, and read by visitors', async () => {
  const { event, token } = await makeFixture(app)
  const first = await makeForm(app, token, event.id, [short, meal, days])
  expect(first.map(({ text, position }) => [text, position])).toEqual([
    ['Club number', 0],
    ['Meal', 1],
    ['Days', 2],
  ])

  const [a, b, c] = first
  if (!a || !b || !c) throw new Error('Three questions were saved.')
  const keep = ({ id, typeId, text, required, options, version }: typeof a) => ({
    id,
    typeId,
    text,
    required,
    options,
    version,
  })
  const payload = {
    eventId: event.id,
    formQuestions: [keep(c), { ...keep(a), text: 'Member number' }, short],
    rmQIds: [b.id],
  }
  const second = await app.call(formApi.save, { payload }, token)
  expect(second.map(({ text }) => text)).toEqual(['Days', 'Member number', 'Club number'])
  expect(second.map(({ version }) => version)).toEqual([1, 2, 1])
  expect(await app.call(formApi.getFormQuestions, { eventId: event.id })).toEqual(second)
})

test('saving a form that somebody else has changed is refused, and nothing changes', async () => {
  const { event, token } = await makeFixture(app)
  const [question] = await makeForm(app, token, event.id, [short])
  if (!question) throw new Error('A question was saved.')
  const { eventId, position: _, ...seen } = question
  const save = (formQuestions: (typeof seen)[], rmQIds: number[] = []) =>
    app.call(formApi.save, { payload: { eventId, formQuestions, rmQIds } }, token)
  await save([{ ...seen, text: 'First' }])
  await refusalOf(save([{ ...seen, text: 'Second' }]), 'EDIT_CONFLICT')
  expect(await app.call(formApi.getFormQuestions, { eventId })).toMatchObject([{ text: 'First' }])
})

test('a question of another event, an option twice, and a choice without options are refused by name', async () => {
  const { event, token } = await makeFixture(app)
  const other = await makeEvent(app, token)
  const [foreign] = await makeForm(app, token, other.id, [short])
  const cases = [
    { formQuestions: [{ ...short, id: foreign?.id }], rmQIds: [], path: 'payload.formQuestions.0.id' },
    { formQuestions: [], rmQIds: [foreign?.id ?? 0], path: 'payload.rmQIds.0' },
    { formQuestions: [{ ...meal, options: [] }], rmQIds: [], path: 'payload.formQuestions.0.options' },
    { formQuestions: [{ ...meal, options: ['A', 'A'] }], rmQIds: [], path: 'payload.formQuestions.0.options.1' },
    { formQuestions: [{ ...short, typeId: 5 }], rmQIds: [], path: 'payload.formQuestions.0.typeId' },
  ]
  for (const { path, ...rest } of cases) {
    const body = { payload: { eventId: event.id, ...rest } }
    const response = await app.raw(formApi.save, body, { authorization: token })
    expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path }] }])
  }
  expect(await app.call(formApi.getFormQuestions, { eventId: event.id })).toEqual([])
})

test('answers are judged by the form, kept with the question’s words, and outlive it', async () => {
  const { event, token } = await makeFixture(app)
  const [a, b, c] = await makeForm(app, token, event.id, [short, meal, days])
  const ids = [a?.id ?? 0, b?.id ?? 0, c?.id ?? 0] as const
  const others = 'newRegistration.registrationData.others'
  const cases = [
    { others: [], path: `${others}.0.answer`, msg: 'Meal: Choose an option.' },
    { others: [{ qId: ids[1], answer: 'Fish' }], path: `${others}.0.answer`, msg: 'Choose one of the options.' },
    {
      others: [{ qId: ids[1], answer: ['Meat'] }],
      path: `${others}.0.answer`,
      msg: 'This is not an answer to this question.',
    },
    {
      others: [
        { qId: ids[1], answer: 'Meat' },
        { qId: 9999, answer: 'x' },
      ],
      path: `${others}.1.qId`,
      msg: 'This question is not part of the form.',
    },
    {
      others: [
        { qId: ids[1], answer: 'Meat' },
        { qId: ids[2], answer: ['Friday', 'Friday'] },
      ],
      path: `${others}.1.answer`,
      msg: 'Choose each option once.',
    },
    {
      others: [
        { qId: ids[1], answer: 'Meat' },
        { qId: ids[0], answer: 'a\u0000b' },
      ],
      path: `${others}.1.answer`,
      msg: 'Use plain text.',
    },
    {
      others: [
        { qId: ids[1], answer: 'Meat' },
        { qId: ids[0], answer: '\ud800' },
      ],
      path: `${others}.1.answer`,
      msg: 'Use plain text.',
    },
  ]
  for (const { others: given, path, msg } of cases) {
    const input = registrationFor(event)
    input.newRegistration.registrationData.others = given
    const response = await app.raw(registrationApi.initRegistration, input)
    expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path, msg }] }])
  }
  // Who reads only the sentence reads the question too.
  const wrongDay = registrationFor(event)
  wrongDay.newRegistration.registrationData.others = [
    { qId: ids[1], answer: 'Meat' },
    { qId: ids[2], answer: ['Sunday'] },
  ]
  const { message } = await refusalOf(app.call(registrationApi.initRegistration, wrongDay), 'INVALID_INPUT')
  expect(message).toBe('Days: Choose one of the options.')

  const registration = await makeRegistration(app, event, {
    others: [
      { qId: ids[2], answer: ['Saturday', 'Friday'] },
      { qId: ids[1], answer: 'Meat' },
      { qId: ids[0], answer: '  ' },
    ],
  })
  const kept = [
    { qId: ids[1], question: 'Meal', answer: 'Meat' },
    { qId: ids[2], question: 'Days', answer: ['Saturday', 'Friday'] },
  ]
  expect(registration.registrationData.others).toEqual(kept)
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions: [], rmQIds: [...ids] } }, token)
  const { registration: after } = await app.call(ticketApi.getRegistration, { registrationId: registration.id }, token)
  expect(after.registrationData.others).toEqual(kept)
})

test('an answer to a removed question may be sent again, and does not move the places of the others', async () => {
  const { event, token } = await makeFixture(app)
  const [gone, meals] = await makeForm(app, token, event.id, [short, meal])
  if (!gone || !meals) throw new Error('Two questions were saved.')
  const answers = (answer: string) => [
    { qId: gone.id, answer: '17' },
    { qId: meals.id, answer },
  ]
  const { id } = await makeRegistration(app, event, { others: answers('Meat') })
  const { eventId, position: _, ...kept } = meals
  await app.call(formApi.save, { payload: { eventId, formQuestions: [kept], rmQIds: [gone.id] } }, token)
  const save = (answer: string) => {
    const registrationData = { ...registrationFor(event).newRegistration.registrationData, others: answers(answer) }
    return app.call(attendeeApi.save, { payload: { id, eventId, registrationData, extrasIds: [] } }, token)
  }
  await save('Vegetables')
  const refusal = await refusalOf(save('Fish'), 'INVALID_INPUT')
  expect(formatFields(refusal.fields)).toEqual([
    { path: 'payload.registrationData.others.1.answer', msg: 'Choose one of the options.' },
  ])
})

test('only its own staff can see the questions of a draft', async () => {
  const { token } = await makeFixture(app)
  const { id: eventId } = await makeEvent(app, token, { status: 'draft' })
  await makeForm(app, token, eventId, [short])
  await refusalOf(app.call(formApi.getFormQuestions, { eventId }), 'NOT_FOUND')
  expect(await app.call(formApi.getFormQuestions, { eventId }, token)).toHaveLength(1)
})

test('a form holds 100 questions in all, however many saves and people add to it', async () => {
  const { event, token } = await makeFixture(app)
  const many = (count: number) => Array.from({ length: count }, () => short)
  const first = await makeForm(app, token, event.id, many(90))
  const refusal = await refusalOf(makeForm(app, token, event.id, many(11)), 'INVALID_INPUT')
  expect(formatFields(refusal.fields)).toEqual([
    { path: 'payload.formQuestions', msg: 'A form has at most 100 questions.' },
  ])
  const outcomes = await countOutcomes([1, 2, 3].map(() => makeForm(app, token, event.id, many(5))))
  expect(outcomes).toEqual({ ok: 2, INVALID_INPUT: 1 })
  const rmQIds = first.slice(0, 10).map(({ id }) => id)
  const saved = await app.call(formApi.save, { payload: { eventId: event.id, formQuestions: many(10), rmQIds } }, token)
  expect(saved).toHaveLength(100)
})
