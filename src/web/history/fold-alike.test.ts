import { expect, test } from 'vitest'
import { foldAlike } from './fold-alike.ts'

const regatta = { id: 1, name: 'Regatta', isThere: true }
const entry = (id: number, action = 'Checked in', by = 'Sam', event: typeof regatta | null = regatta) => ({
  ...{ id, action, by, event },
})
const idsIn = (entries: ReturnType<typeof entry>[]) => foldAlike(entries).map((run) => run.map(({ id }) => id))

test('three and more entries in a row that say the same stand together', () => {
  const entries = [entry(9, 'Event edited'), entry(8), entry(7), entry(6), entry(5, 'Event edited'), entry(4), entry(3)]
  expect(idsIn(entries)).toEqual([[9], [8, 7, 6], [5], [4], [3]])
  expect(idsIn([])).toEqual([])
})

test('another person or event begins anew', () => {
  expect(idsIn([entry(6), entry(5), entry(4, 'Checked in', 'Ana'), entry(3)])).toEqual([[6], [5], [4], [3]])
  const elsewhere = { ...regatta, id: 2 }
  expect(idsIn([entry(6), entry(5), entry(4, 'Checked in', 'Sam', elsewhere), entry(3)])).toEqual([[6], [5], [4], [3]])
  expect(
    idsIn([entry(3, 'Pass made', 'Sam', null), entry(2, 'Pass made', 'Sam', null), entry(1, 'Pass made', 'Sam')]),
  ).toEqual([[3], [2], [1]])
})
