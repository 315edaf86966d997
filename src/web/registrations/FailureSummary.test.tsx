import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FormQuestion } from '../../contract/forms.ts'
import { FailureSummary } from './FailureSummary.tsx'
import type { FieldErrors } from './registration-values.ts'

const meal: FormQuestion = {
  id: 7,
  eventId: 1,
  typeId: 2,
  text: 'Meal',
  description: '',
  required: true,
  options: ['Fish', 'Rice'],
  position: 0,
  ticketTypeIds: [],
  askedOf: 'attendee',
  version: 1,
}

/** The lines for a first person and a companion, who are asked these questions. */
function linesOf(errors: FieldErrors, asked: readonly FormQuestion[] = [meal]): string[] {
  const html = renderToStaticMarkup(
    <FailureSummary
      ref={null}
      failure={{ errors, messages: [] }}
      isShown
      asked={asked}
      questions={[meal]}
      people={[2]}
    />,
  )
  return [...html.matchAll(/<a[^>]*>([^<]*)<\/a>/g)].map(([, line = '']) => line)
}

test('each line names its field, and the person where it is not the first one', () => {
  const errors = {
    name: 'Enter a name.',
    'question-7': 'Choose an option.',
    'person-2-question-7': 'Choose an option.',
  }
  expect(linesOf(errors)).toEqual(['Enter a name.', 'Meal: Choose an option.', 'Person 2: Meal: Choose an option.'])
})

test('a refusal that names a companion gets no label besides', () => {
  expect(linesOf({ 'person-2-name': 'Ada is already registered with this e-mail address.' })).toEqual([
    'Person 2: Ada is already registered with this e-mail address.',
  ])
})

test('an answer that is no longer asked for is not missing, though a companion’s to the same question is', () => {
  const errors = { 'question-7': 'Choose an option.', 'person-2-question-7': 'Choose an option.' }
  expect(linesOf(errors, [])).toEqual(['Person 2: Meal: Choose an option.'])
})
