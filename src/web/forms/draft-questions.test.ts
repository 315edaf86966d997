import { expect, test } from 'vitest'
import { moved, newQuestion, toQuestions, withType } from './draft-questions.ts'

test('an item moves to its new place and the others keep their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a'], 5, 0)).toEqual(['a'])
})

test('options survive a change of type and back, and are not sent with free text', () => {
  const choice = { ...withType({ ...newQuestion(), text: 'Meal' }, 2), options: ['A', 'B'] }
  const text = withType(choice, 0)
  expect(toQuestions([text]).formQuestions[0]?.options).toEqual([])
  expect(withType(text, 4).options).toEqual(['A', 'B'])
  expect(withType(newQuestion(), 3).options).toEqual(['', ''])
})

test('each error is named by its place', () => {
  const { errors } = toQuestions([
    { ...newQuestion(), text: ' ' },
    { ...withType(newQuestion(), 2), text: 'Meal' },
  ])
  expect(errors.map(({ path }) => path)).toEqual([
    'formQuestions.0.text',
    'formQuestions.1.options.0',
    'formQuestions.1.options.1',
    'formQuestions.1.options.1',
  ])
})
