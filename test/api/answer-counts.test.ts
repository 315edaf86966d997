import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { makeEvent, makeFixture, makeForm, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('options are counted over confirmed registrations of this event, in the order of the form', async () => {
  const { event, token, sudo } = await makeFixture(app)
  const asked = [
    { typeId: 2, text: 'Meal', required: false, options: ['Fish', 'Vegan', 'Meat'] },
    { typeId: 0, text: 'Boat', required: false, options: [] },
    { typeId: 3, text: 'Help with', required: false, options: ['Setting up', 'Bar'] },
  ]
  const questions = await makeForm(app, token, event.id, asked)
  const [meal, boat, help] = questions
  if (!meal || !boat || !help) throw new Error('The form has three questions.')
  const answer = (others: [number, string | string[]][]) =>
    makeRegistration(app, event, { others: others.map(([qId, given]) => ({ qId, answer: given })) })
  await answer([
    [meal.id, 'Vegan'],
    [boat.id, 'Fish'],
    [help.id, ['Bar', 'Setting up']],
  ])
  await answer([
    [meal.id, 'Vegan'],
    [help.id, ['Bar']],
  ])
  await answer([
    [meal.id, 'Fish'],
    [help.id, []],
  ])
  await answer([[meal.id, '']])
  const gone = await answer([[meal.id, 'Meat']])
  await app.call(attendeeApi.updateStatus, { payload: { id: gone.id, eventId: event.id, status: 'cancelled' } }, token)
  const other = await makeEvent(app, token)
  const [theirs] = await makeForm(app, token, other.id, asked)
  await makeRegistration(app, other, { others: [{ qId: theirs?.id ?? 0, answer: 'Meat' }] })

  const read = (viewer = token) => app.call(statisticsApi.getAnswerCounts, { eventId: event.id }, viewer)
  const mealCounts = [
    { option: 'Fish', count: 1 },
    { option: 'Vegan', count: 2 },
    { option: 'Meat', count: 0 },
  ]
  expect(await read(sudo.token)).toEqual([
    { questionId: meal.id, question: 'Meal', isMultiple: false, answered: 3, options: mealCounts, otherCount: 0 },
    {
      questionId: help.id,
      question: 'Help with',
      isMultiple: true,
      answered: 2,
      options: [
        { option: 'Setting up', count: 1 },
        { option: 'Bar', count: 2 },
      ],
      otherCount: 0,
    },
  ])

  // An option that was chosen is counted among the others once it is no longer offered.
  const edited = questions.map(({ eventId: _, position: __, ...fields }) => fields)
  const without = edited.map((question) =>
    question.id === meal.id ? { ...question, options: ['Meat', 'Fish'] } : question,
  )
  await makeForm(app, token, event.id, without)
  expect((await read())[0]).toMatchObject({
    answered: 3,
    options: [
      { option: 'Meat', count: 0 },
      { option: 'Fish', count: 1 },
    ],
    otherCount: 2,
  })
})

test('an event without questions to choose from has no counts', async () => {
  const { event, token } = await makeFixture(app)
  await makeForm(app, token, event.id, [{ typeId: 1, text: 'Anything else?', required: false, options: [] }])
  await makeRegistration(app, event)
  expect(await app.call(statisticsApi.getAnswerCounts, { eventId: event.id }, token)).toEqual([])
})
