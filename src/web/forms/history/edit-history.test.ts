import { expect, test } from 'vitest'
import { type EditHistory, record, redo, startHistory, undo } from './edit-history.ts'

const edit = (history: EditHistory<string>, next: string, field?: string, at = 0) =>
  record(history, { next, name: `to ${next}`, field, at })

/** The states on the way back to the start, from the present one. */
function wayBack(history: EditHistory<string>): string[] {
  const before = undo(history)
  return before ? [history.present, ...wayBack(before)] : [history.present]
}

test('edits are undone one by one to the start, and done again to the end', () => {
  const edited = edit(edit(startHistory('a'), 'b'), 'c')
  expect(wayBack(edited)).toEqual(['c', 'b', 'a'])
  const undone = undo(edited)
  expect(undone?.future.map(({ name }) => name)).toEqual(['to c'])
  expect(undone && redo(undone)).toEqual(edited)
  expect(redo(edited)).toBeNull()
  expect(undo(startHistory('a'))).toBeNull()
})

test('after an edit, what was undone before cannot be done again', () => {
  const undone = undo(edit(startHistory('a'), 'b'))
  if (!undone) throw new Error('There was an edit.')
  const other = edit(undone, 'c')
  expect(redo(other)).toBeNull()
  expect(wayBack(other)).toEqual(['c', 'a'])
})

test('typing in one field is one step, until another field, another edit or a pause', () => {
  const typed = (...edits: [next: string, field: string | undefined, at: number][]) =>
    wayBack(edits.reduce((history, [next, field, at]) => edit(history, next, field, at), startHistory('')))
  expect(typed(['M', 'text', 0], ['Me', 'text', 300], ['Meal', 'text', 1200])).toEqual(['Meal', ''])
  expect(typed(['M', 'text', 0], ['Me', 'text', 1000])).toEqual(['Me', 'M', ''])
  expect(typed(['M', 'text', 0], ['Mo', 'option', 1])).toEqual(['Mo', 'M', ''])
  expect(typed(['M', 'text', 0], ['x', undefined, 1], ['Me', 'text', 2])).toEqual(['Me', 'x', 'M', ''])
  expect(typed(['x', undefined, 0], ['y', undefined, 1])).toEqual(['y', 'x', ''])
})

test('typing after an undo is a new step, although the field is the same', () => {
  const undone = undo(edit(edit(startHistory(''), 'M', 'text', 0), 'Me', 'text', 2000))
  if (!undone) throw new Error('There was an edit.')
  expect(wayBack(edit(undone, 'Mo', 'text', 2001))).toEqual(['Mo', 'M', ''])
})
