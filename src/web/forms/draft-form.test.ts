import { expect, test } from 'vitest'
import { countChanges, type DraftForm, firstChanged } from './draft-form.ts'
import { newQuestion, withType } from './draft-questions.ts'

const question = (text: string) => ({ ...newQuestion(), text })
const [a, b, c] = [question('A'), question('B'), question('C')] as const
const saved: DraftForm = { phoneField: 'required', questions: [a, b, c] }
const changes = (form: Partial<DraftForm>) => countChanges(saved, { ...saved, ...form })

test('each question added, removed or edited is a change, and so are their order and the phone number', () => {
  expect(changes({})).toBe(0)
  expect(changes({ phoneField: 'off' })).toBe(1)
  expect(changes({ questions: [a, b, c, newQuestion(), newQuestion()] })).toBe(2)
  expect(changes({ questions: [a] })).toBe(2)
  expect(changes({ questions: [{ ...a, text: 'Z' }, b, { ...c, required: true }] })).toBe(2)
  expect(changes({ questions: [c, b, a] })).toBe(1)
  expect(changes({ questions: [newQuestion(), c, { ...b, showAtDoor: true }], phoneField: 'optional' })).toBe(5)
})

test('what comes to the same as before is no change', () => {
  expect(changes({ questions: [{ ...a }, b, c] })).toBe(0)
  // Its options are kept for the way back, but belong to no free text.
  expect(changes({ questions: [withType(withType(a, 2), 0), b, c] })).toBe(0)
})

test('the question that an undo changed or brought back is found', () => {
  const edited = { ...b, text: 'Z' }
  expect(firstChanged(saved, { ...saved, questions: [a, edited, c] })).toBe(edited)
  expect(firstChanged({ ...saved, questions: [a, c] }, saved)).toBe(b)
  expect(firstChanged(saved, { ...saved, questions: [c, a] })).toBeUndefined()
})
