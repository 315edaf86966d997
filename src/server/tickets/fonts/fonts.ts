import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font as Face } from 'fontkit'
import subsetFont from 'subset-font'
import { keepGlyphs } from './kept-glyphs.ts'

const require = createRequire(import.meta.url)

export type Weight = 'regular' | 'bold'

/** A font for some characters. It is parsed once for all documents, because parsing takes longer than drawing a ticket. */
export interface Font {
  name: string
  face: Face
}

const poppins: Readonly<Record<Weight, string>> = {
  regular: '400Regular/Poppins_400Regular.ttf',
  bold: '600SemiBold/Poppins_600SemiBold.ttf',
}
const weights: Readonly<Record<Weight, number>> = { regular: 400, bold: 600 }

/**
 * The families for characters that our own font lacks, in order of preference: each is split into files by character. Han characters are
 * taken from the Chinese family, kana and what it lacks from the Japanese one.
 */
const families = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const

interface Piece {
  family: string
  /** As in the file's name. */
  slice: string
  ranges: readonly (readonly [number, number])[]
}

const packageDir = (name: string) => dirname(require.resolve(`${name}/package.json`))

const pieces: readonly Piece[] = families.flatMap((family) => {
  const ranges: unknown = JSON.parse(
    readFileSync(join(packageDir(`@fontsource-variable/${family}`), 'unicode.json'), 'utf8'),
  )
  return Object.entries(ranges ?? {}).map(([slice, text]) => ({
    family,
    slice: slice.replace(/[[\]]/g, ''),
    ranges: readRanges(String(text)),
  }))
})

/** Poppins has Latin and Devanagari; these are the characters of it that we use. */
const poppinsRanges = readRanges('U+0020-007E,U+00A0-017F,U+0218-021B,U+2010-2026,U+20AC')

function readRanges(text: string): [number, number][] {
  return [...text.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)].map(([, from = '0', to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ])
}

function covers(ranges: Piece['ranges'], codePoint: number): boolean {
  return ranges.some(([from, to]) => from <= codePoint && codePoint <= to)
}

const chosen = new Map<string, Promise<Font>>()
const loaded = new Map<string, Promise<Font>>()

/** The font that has this character; our own if none has it. Each file is read and prepared once. */
export function fontFor(character: string, weight: Weight): Promise<Font> {
  const codePoint = character.codePointAt(0) ?? 0
  const key = `${codePoint} ${weight}`
  const known = chosen.get(key)
  if (known) return known
  const font = chooseFont(codePoint, weight)
  chosen.set(key, font)
  // A file that could not be read is read again for the next ticket.
  font.catch(() => chosen.delete(key))
  return font
}

/** The files' ranges also list characters that their fonts lack: the Chinese ones Korean syllables, the Arabic ones hearts and stars. */
async function chooseFont(codePoint: number, weight: Weight): Promise<Font> {
  const own = () => once(`poppins-${weight}`, (name) => loadPoppins(weight, name))
  if (covers(poppinsRanges, codePoint)) return own()
  for (const piece of pieces.filter(({ ranges }) => covers(ranges, codePoint))) {
    const font = await once(`${piece.family}-${piece.slice}-${weight}`, (name) => loadPiece(piece, weight, name))
    if (font.face.hasGlyphForCodePoint(codePoint)) return font
  }
  return own()
}

function once(name: string, load: (name: string) => Promise<Font>): Promise<Font> {
  const known = loaded.get(name)
  if (known) return known
  const font = load(name)
  loaded.set(name, font)
  font.catch(() => loaded.delete(name))
  return font
}

async function loadPoppins(weight: Weight, name: string): Promise<Font> {
  return { name, face: parse(readFileSync(join(packageDir('@expo-google-fonts/poppins'), poppins[weight]))) }
}

/** The family's files hold every weight at once; the PDF needs the one. */
async function loadPiece({ family, slice, ranges }: Piece, weight: Weight, name: string): Promise<Font> {
  const file = join(packageDir(`@fontsource-variable/${family}`), 'files', `${family}-${slice}-wght-normal.woff2`)
  const characters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  const options = { targetFormat: 'truetype' as const, variationAxes: { wght: weights[weight] } }
  return { name, face: parse(await subsetFont(readFileSync(file), String.fromCodePoint(...characters), options)) }
}

const faces: Face[] = []

function parse(bytes: Buffer): Face {
  const face = create(bytes)
  if ('fonts' in face) throw new Error('A font file with one font is expected.')
  keepGlyphs(face)
  faces.push(face)
  return face
}

/**
 * Clears the cache of glyphs, but keeps the parsed tables. Call it after each document: a cached glyph keeps the letters of its first use, or
 * none if it was embedded as a part of another one (the O of an Ö), and text copied from the next document would lack that letter.
 */
export function forgetGlyphs(of: readonly Face[] = faces): void {
  // A private field of the library. A test of letters after accents fails if it is renamed.
  for (const face of of) Reflect.set(face, '_glyphs', {})
}
