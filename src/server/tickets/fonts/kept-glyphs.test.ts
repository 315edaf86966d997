import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font as Face, type Subset } from 'fontkit'
import { expect, test, vi } from 'vitest'
import { keepGlyphs } from './kept-glyphs.ts'

const FILE = createRequire(import.meta.url).resolve('@expo-google-fonts/poppins/400Regular/Poppins_400Regular.ttf')

function parsed(): Face {
  const face = create(readFileSync(FILE))
  if ('fonts' in face) throw new Error('A font file with one font is expected.')
  return face
}

/** The letters of a text as a document embeds them. */
function subsetOf(face: Face, text: string): Subset {
  const subset = face.createSubset()
  for (const glyph of face.layout(text).glyphs) subset.includeGlyph(glyph)
  return subset
}

test('a document embeds the same font, whatever letters earlier documents had', () => {
  const face = parsed()
  keepGlyphs(face)
  // The glyph of ë is made of that of e and of dots, each of which an earlier text may have had.
  for (const text of ['Zoe Muller', 'Zoë Müller', 'Löwe', 'Zoë Müller', 'Muller Zoe', ' ']) {
    const [kept, anew] = [face, parsed()].map((each) => Buffer.from(subsetOf(each, text).encode()))
    expect(kept, text).toEqual(anew)
  }
})

test('every glyph is embedded as the library alone would embed it, in any order', () => {
  const face = parsed()
  keepGlyphs(face)
  const glyphIds = Array.from({ length: face.numGlyphs }, (_, at) => at)
  for (const ids of [glyphIds, glyphIds.toReversed(), glyphIds]) {
    const [kept, anew] = [face, parsed()].map((each) => {
      const subset = each.createSubset()
      for (const id of ids) subset.includeGlyph(each.getGlyph(id))
      return Buffer.from(subset.encode())
    })
    expect(kept).toEqual(anew)
  }
})

test('a letter is read only for the first document that embeds it', () => {
  const face = parsed()
  keepGlyphs(face)
  const getGlyph = vi.spyOn(face, 'getGlyph')
  const readFor = (text: string) => {
    const subset = subsetOf(face, text)
    getGlyph.mockClear()
    subset.encode()
    return getGlyph.mock.calls.length
  }
  expect(readFor('oZ')).toBeGreaterThan(0)
  expect(readFor('Zo')).toBe(0)
  expect(readFor('Zom')).toBe(1)
})
