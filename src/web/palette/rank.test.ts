import { expect, test } from 'vitest'
import { rank, wordsOf } from './rank.ts'

const found = (typed: string, entries: (string | { label: string; words: string })[], isName = true) =>
  rank(
    entries.map((entry) => (typeof entry === 'string' ? { label: entry, isName } : entry)),
    wordsOf(typed),
  ).map(({ label }) => label)

test('a part of a name is enough, whatever its case and accents', () => {
  expect(found('eté', ['Fête d’Été', 'Winter'])).toEqual(['Fête d’Été'])
  expect(found('LODZ', ['Regatta in Łódź'])).toEqual(['Regatta in Łódź'])
  expect(found('gat', ['Regatta'])).toEqual(['Regatta'])
  expect(found('日本', ['東京日本語の会'])).toEqual(['東京日本語の会'])
})

test('all words have to be there, in any order', () => {
  expect(found('ball winter', ['Winter ball', 'Winter walk', 'Ball'])).toEqual(['Winter ball'])
})

test('what begins with the text comes first, then what has a word that does, then any part', () => {
  expect(found('gala', ['Megagala', 'Winter gala', 'Gala'])).toEqual(['Gala', 'Winter gala', 'Megagala'])
  expect(found('gala', ['Gala B', 'Gala A'])).toEqual(['Gala B', 'Gala A'])
})

test('an action is found by the beginning of a word alone, so that names in the middle of one do not find it', () => {
  expect(found('bod', ['Add somebody'], false)).toEqual([])
  expect(found('some', ['Add somebody'], false)).toEqual(['Add somebody'])
})

test('other words find an entry, by their beginning and after those with the word in their name', () => {
  const door = { label: 'Door', words: 'scanner check in' }
  expect(found('scan', [door, 'Scandinavian night'])).toEqual(['Scandinavian night', 'Door'])
  expect(found('anner', [door])).toEqual([])
  expect(found('door check', [door])).toEqual(['Door'])
})

test('nothing typed leaves all entries in their order', () => {
  expect(found('  ', ['B', 'A'])).toEqual(['B', 'A'])
})
