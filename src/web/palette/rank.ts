import { foldText } from '../../contract/values/fold-text.ts'

interface Searchable {
  label: string
  /** Other words that find it. */
  words?: string
  /** A name that people gave: any part of it finds it, and not only the beginning of a word. */
  isName?: boolean
}

/** The words of what was typed, without case and accents. */
export function wordsOf(typed: string): string[] {
  return foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** The entries that hold all words, best match first; of equal ones, in their order. */
export function rank<T extends Searchable>(entries: readonly T[], words: readonly string[]): T[] {
  return entries
    .flatMap((entry, index) => {
      const quality = qualityOf(entry, words)
      return quality === null ? [] : [{ entry, quality, index }]
    })
    .sort((a, b) => a.quality - b.quality || a.index - b.index)
    .map(({ entry }) => entry)
}

/** How far an entry is from a perfect match; null when a word is missing. */
export function qualityOf(entry: Searchable, words: readonly string[]): number | null {
  let quality = 0
  for (const word of words) {
    const distance = distanceOf(word, entry)
    if (distance === null) return null
    quality += distance
  }
  return quality
}

function distanceOf(word: string, { label, words = '', isName = false }: Searchable): number | null {
  const name = foldText(label)
  if (name.startsWith(word)) return 0
  if (startsWord(name, word)) return 1
  if (isName && name.includes(word)) return 2
  if (startsWord(foldText(words), word)) return 3
  return null
}

function startsWord(text: string, word: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word))
}
