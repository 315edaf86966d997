import { expect, test } from 'vitest'
import { formatFields } from './errors.ts'
import { type FormQuestion, keptAnswers, validateAnswer, validateAnswers, validateOptions } from './forms.ts'

const question = (fields: Partial<FormQuestion>): FormQuestion => ({
  ...{
    id: 1,
    eventId: 1,
    typeId: 0,
    text: 'Question',
    required: false,
    options: [],
    position: 0,
    showAtDoor: false,
    ticketTypeIds: [],
    askedOf: 'attendee',
    version: 1,
  },
  ...fields,
})

test('an answer is judged by its question’s type, options and need', () => {
  const cases: [Partial<FormQuestion>, string | string[], string | null][] = [
    [{ typeId: 0 }, '', null],
    [{ typeId: 0, required: true }, '  ', 'Please answer this question.'],
    [{ typeId: 0 }, 'x'.repeat(301), 'Use at most 300 characters.'],
    [{ typeId: 1, required: true }, 'x'.repeat(5000), null],
    [{ typeId: 2, options: ['A', 'B'] }, 'B', null],
    [{ typeId: 2, options: ['A', 'B'], required: true }, '', 'Choose an option.'],
    [{ typeId: 2, options: ['A', 'B'] }, 'C', 'Choose one of the options.'],
    [{ typeId: 3, options: ['A', 'B'] }, ['A', 'B'], null],
    [{ typeId: 3, options: ['A', 'B'], required: true }, [], 'Choose at least one option.'],
    [{ typeId: 3, options: ['A', 'B'] }, ['A', 'A'], 'Choose each option once.'],
    [{ typeId: 3, options: ['A', 'B'] }, 'A', 'This is not an answer to this question.'],
    [{ typeId: 4, options: ['A', 'B'] }, ['A'], 'This is not an answer to this question.'],
    [{ typeId: 4, options: ['A', 'B'] }, 'A', null],
  ]
  for (const [fields, answer, wrong] of cases) expect(validateAnswer(question(fields), answer)?.() ?? null).toBe(wrong)
})

test('a required question that was left out is named by its words, an unknown and a repeated one by their place', () => {
  const questions = [question({ id: 7, text: 'Meal', required: true }), question({ id: 8 })]
  expect(formatFields(validateAnswers(questions, [{ qId: 8, answer: 'x' }]))).toEqual([
    { path: 'others.1.answer', msg: 'Meal: Please answer this question.' },
  ])
  const given = [
    { qId: 7, answer: 'x' },
    { qId: 7, answer: 'y' },
    { qId: 9, answer: 'z' },
  ]
  expect(validateAnswers(questions, given).map(({ path }) => path)).toEqual(['others.1.qId', 'others.2.qId'])
})

test('answers are kept in the form’s order, trimmed, with the words, and empty ones are not kept', () => {
  const questions = [question({ id: 7, text: 'First' }), question({ id: 8, text: 'Second' }), question({ id: 9 })]
  const given = [
    { qId: 8, answer: ' two ' },
    { qId: 7, answer: 'one' },
    { qId: 9, answer: '  ' },
  ]
  expect(keptAnswers(questions, given)).toEqual([
    { qId: 7, question: 'First', answer: 'one' },
    { qId: 8, question: 'Second', answer: 'two' },
  ])
})

test('a choice needs options, each once; free text needs none', () => {
  const fields = { typeId: 2, text: 'Q', required: false, options: ['A', 'B', 'A'] }
  expect(formatFields(validateOptions(fields, 'q'))).toEqual([
    { path: 'q.options.2', msg: 'This option is there already.' },
  ])
  expect(validateOptions({ ...fields, options: [] }, 'q')).toHaveLength(1)
  expect(validateOptions({ ...fields, typeId: 0, options: [] }, 'q')).toEqual([])
})
