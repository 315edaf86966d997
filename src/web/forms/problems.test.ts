import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { newQuestion, withType } from './draft-questions.ts'
import { problemsIn, problemsOf } from './problems.ts'

const empty = { ...newQuestion(), text: ' ' }
const meal = { ...withType(newQuestion(), 2), text: 'Meal' }

test('every field with a problem is named once', () => {
  expect(problemsIn([empty, meal]).map(({ key, field }) => [key, field])).toEqual([
    [empty.key, 'text'],
    [meal.key, 'options.0'],
    [meal.key, 'options.1'],
  ])
  expect(problemsIn([{ ...meal, options: ['Fish', ' Fish'] }])).toEqual([
    { key: meal.key, field: 'options.1', msg: 'This option is there already.' },
  ])
  expect(problemsIn([{ ...meal, options: [] }])).toMatchObject([{ field: 'options' }])
  expect(problemsIn([{ ...meal, options: ['Fish'] }])).toEqual([])
})

test('more questions than a form may have are a problem of the form', () => {
  const many = Array.from({ length: 101 }, () => ({ ...newQuestion(), text: 'Why?' }))
  expect(problemsIn(many)).toEqual([{ key: null, field: '', msg: 'A form has at most 100 questions.' }])
})

test("a refusal's fields are found on the page, or belong to the form as a whole", () => {
  const fields = [
    { path: 'payload.formQuestions.1.options.0', msg: () => 'One' },
    { path: 'payload.formQuestions', msg: () => 'Two' },
    { path: 'payload.rmQIds.0', msg: () => 'Three' },
  ]
  expect(problemsOf(new Refusal('INVALID_INPUT', { fields }), [empty, meal])).toEqual([
    { key: meal.key, field: 'options.0', msg: 'One' },
    { key: null, field: 'payload.formQuestions', msg: 'Two' },
    { key: null, field: 'payload.rmQIds.0', msg: 'Three' },
  ])
})
