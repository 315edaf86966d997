import { expect, test } from 'vitest'
import { findNames, indexNames } from './find-names.ts'

const names = [
  'José García',
  'Łukasz Nowak',
  'Anna-Lena Hoffmann',
  'Björn Straße',
  'Siobhán O’Brien',
  'Μαρία Παπαδοπούλου',
  'Иван Ёлкин',
  '山田 太郎',
  'Joseph Garland',
]
const index = indexNames(names.map((name, n) => ({ id: n + 1, name })))
const found = (part: string) => findNames(index, part, 10).map((id) => names[id - 1])

test('a part of a name is enough, whatever case and accents', () => {
  expect(found('jose gar')[0]).toBe('José García')
  expect(found('lukasz')).toEqual(['Łukasz Nowak'])
  expect(found('HOFF')).toEqual(['Anna-Lena Hoffmann'])
  expect(found('mann')).toEqual(['Anna-Lena Hoffmann'])
  expect(found('strasse')).toEqual(['Björn Straße'])
  expect(found('brien')).toEqual(['Siobhán O’Brien'])
  expect(found('иван')).toEqual(['Иван Ёлкин'])
  expect(found('μαρια')).toEqual(['Μαρία Παπαδοπούλου'])
  expect(found('太郎')).toEqual(['山田 太郎'])
})

test('words come in any order', () => {
  expect(found('garcia jose')[0]).toBe('José García')
  expect(found('hoffmann anna')).toEqual(['Anna-Lena Hoffmann'])
})

test('a typing mistake is tolerated: a letter wrong, missing, added, or two swapped', () => {
  expect(found('nowek')).toEqual(['Łukasz Nowak'])
  expect(found('hofman')).toEqual(['Anna-Lena Hoffmann'])
  expect(found('lukkasz')).toEqual(['Łukasz Nowak'])
  expect(found('novak')).toEqual(['Łukasz Nowak'])
  expect(found('gracia')).toContain('José García')
})

test('a number finds the ticket; an empty search finds nobody', () => {
  expect(found('#2')[0]).toBe('Łukasz Nowak')
  expect(found('  ')).toEqual([])
  expect(found('zzzz')).toEqual([])
  expect(found('(*')).toEqual([])
})

test('10,000 names are searched within 250 ms', () => {
  const many = indexNames(Array.from({ length: 10_000 }, (_, n) => ({ id: n + 1, name: `${names[n % 9]} ${n}` })))
  findNames(many, 'jo', 20)
  // Takes the fastest of several: on a busy machine a search may be interrupted by other work.
  const times = Array.from({ length: 8 }, () => {
    const started = performance.now()
    expect(findNames(many, 'garcai jose', 20)).toHaveLength(20)
    return performance.now() - started
  })
  expect(Math.min(...times)).toBeLessThan(250)
})
