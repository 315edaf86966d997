import uFuzzy from '@leeoniya/ufuzzy'
import { foldText } from '../../../contract/values/fold-text.ts'

/** Finds parts of words in any script, allowing one wrong, missing, added or swapped letter in each word. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  intraMode: 1,
  intraIns: 1,
})
/** Up to this many words may come in any order. */
const WORDS_IN_ANY_ORDER = 3

/** Names prepared for many searches. */
export interface NameIndex {
  ids: readonly number[]
  texts: string[]
}

export function indexNames(people: Iterable<{ id: number; name: string }>): NameIndex {
  const all = [...people]
  return { ids: all.map(({ id }) => id), texts: all.map(({ name }) => foldText(name)) }
}

/** The ids of people whose name contains this text, best match first. Case, accents and one typing mistake in a word do not matter. */
export function findNames({ ids, texts }: NameIndex, part: string, most: number): number[] {
  const wanted = foldText(part).trim()
  if (wanted === '') return []
  const number = /^#?0*([1-9]\d{0,9})$/.exec(wanted)?.[1]
  const [found, , order] = fuzzy.search(texts, wanted, WORDS_IN_ANY_ORDER, 1_000)
  const indexes = !found ? [] : order ? order.flatMap((place) => found[place] ?? []) : [...found]
  const byName = indexes.slice(0, most).flatMap((index) => ids[index] ?? [])
  const byNumber = number !== undefined && ids.includes(Number(number)) ? [Number(number)] : []
  return [...new Set([...byNumber, ...byName])].slice(0, most)
}
