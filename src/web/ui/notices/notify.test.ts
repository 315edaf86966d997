import { expect, test } from 'vitest'
import { Refusal } from '../../../contract/errors.ts'
import { closeNotice, notify, notifyRefusal, readNotices } from './notify.ts'

test('a refusal is shown by the status of its answer, the same text once, and errors until a success', () => {
  notifyRefusal(new Refusal('SOLD_OUT', { msg: () => 'Gone.' }))
  notifyRefusal(new Refusal('INTERNAL', { msg: () => 'Short and stout', status: 418 }))
  notifyRefusal(new Refusal('INTERNAL', { msg: () => 'Broken.' }))
  notify('success', 'Saved.')
  notifyRefusal(new Refusal('SOLD_OUT', { msg: () => 'Gone.' }))
  expect(readNotices().map(({ kind, text }) => [kind, text])).toEqual([
    // A success removes earlier errors.
    ['info', 'Broken.'],
    ['success', 'Saved.'],
    ['error', 'Gone.'],
  ])
  for (const { id } of readNotices()) closeNotice(id)
  expect(readNotices()).toEqual([])
})
