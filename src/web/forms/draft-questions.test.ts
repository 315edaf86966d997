import { expect, test } from 'vitest'
import type { FormQuestion } from '../../contract/forms.ts'
import { moved, newQuestion, readStored, toSend, withType } from './draft-questions.ts'

const stored: FormQuestion = {
  id: 7,
  eventId: 1,
  typeId: 2,
  text: 'Meal',
  required: true,
  options: ['Fish', 'Beans'],
  position: 0,
  showAtDoor: false,
  ticketTypeIds: [],
  version: 3,
}

test('an item moves to its new place and the others keep their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a'], 5, 0)).toEqual(['a'])
})

test('options survive a change of type and back, and are not sent with free text', () => {
  const choice = { ...withType({ ...newQuestion(), text: 'Meal' }, 2), options: ['A', 'B'] }
  const text = withType(choice, 0)
  expect(toSend([text], new Map()).formQuestions[0]?.options).toEqual([])
  expect(withType(text, 4).options).toEqual(['A', 'B'])
  expect(withType(newQuestion(), 3).options).toEqual(['', ''])
})

test('a draft is sent with the id and version that are stored, and a question without a draft is removed', () => {
  const { drafts, stored: ids } = readStored([stored, { ...stored, id: 8, version: 1 }])
  const [meal, other] = drafts
  if (!meal || !other) throw new Error('Two questions were read.')
  const sent = toSend([newQuestion(), { ...meal, text: 'Dinner' }], ids)
  expect(sent.formQuestions).toMatchObject([{ text: '' }, { id: 7, version: 3, text: 'Dinner' }])
  expect(sent.formQuestions[0]).not.toHaveProperty('id')
  expect(sent.rmQIds).toEqual([8])
})

test('a question keeps its key when it is saved, so that an earlier draft of it is sent with the new version', () => {
  const { drafts } = readStored([stored])
  const keys = drafts.map(({ key }) => key)
  const after = readStored([{ ...stored, text: 'Dinner', version: 4 }], keys)
  expect(after.drafts.map(({ key }) => key)).toEqual(keys)
  expect(toSend(drafts, after.stored).formQuestions).toMatchObject([{ id: 7, version: 4, text: 'Meal' }])
})
