import { createRequire } from 'node:module'
import type { Bidi } from 'bidi-js'
import { type Font, fontFor, type Weight } from './fonts.ts'

// The package's types say that it is an ES module, which for Node it is not.
const bidi: Bidi = createRequire(import.meta.url)('bidi-js')()

/** A part of a line that one font draws, in the order in which it is seen from left to right. */
export interface TextPiece {
  text: string
  font: Font
}

/**
 * A line of text as it is drawn: Arabic and Hebrew from right to left within the line (Unicode's bidirectional algorithm,
 * UAX #9), and each part in a font that has its letters. Words stay whole, so that letters which join do. A line of a longer text goes in
 * the `direction` of that text.
 */
export async function toPieces(line: string, weight: Weight, direction?: Direction): Promise<TextPiece[]> {
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  const words = await splitByFont(line, levels, weight)
  return inVisualOrder(words).map(({ text, font }) => ({ text, font }))
}

export type Direction = 'ltr' | 'rtl'

/** In which direction a text goes: that of its first letter which has one. */
export function directionOf(text: string): Direction {
  return (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'
}

interface Word extends TextPiece {
  level: number
}

async function splitByFont(line: string, levels: Uint8Array, weight: Weight): Promise<Word[]> {
  const words: Word[] = []
  for (const { segment, index } of graphemes.segment(line)) {
    const level = levels[index] ?? 0
    const isLeftward = level % 2 === 1
    // In right-to-left text brackets are mirrored.
    const mirrored = isLeftward ? (bidi.getMirroredCharacter(segment) ?? segment) : segment
    const text = mirrored.replace(invisible, '')
    if (text === '') continue
    const font = await fontFor(text, weight)
    const last = words.at(-1)
    // In right-to-left text, only letters that join stay together: the font reverses them itself.
    const goesOn =
      last?.font === font && last.level === level && (!isLeftward || (isLetter(text) && isLetter(last.text)))
    if (last && goesOn) last.text += text
    else words.push({ text, font, level })
  }
  return words
}

function isLetter(text: string): boolean {
  return /^[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]+$/u.test(text)
}

/**
 * Characters that are not drawn and do not join letters: soft hyphens, direction marks, variation selectors, word joiners. A font that lacks
 * them would leave a gap.
 */
export const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]/gu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** UAX #9, rule L2: from the highest level down, runs at that level or above are reversed. */
function inVisualOrder(words: readonly Word[]): Word[] {
  const order = [...words]
  const highest = Math.max(0, ...words.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      if ((order[from]?.level ?? 0) < level) continue
      let to = from
      while ((order[to + 1]?.level ?? 0) >= level) to++
      order.splice(from, to - from + 1, ...order.slice(from, to + 1).reverse())
      from = to
    }
  }
  return order
}
