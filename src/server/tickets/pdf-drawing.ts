import type { Font as Face } from 'fontkit'
import { codeCells } from './code-cells.ts'
import { type Font, fontFor, forgetGlyphs, type Weight } from './fonts/fonts.ts'
import { breakable } from './fonts/line-breaks.ts'
import { directionOf, invisible, type TextPiece, toPieces } from './fonts/text-pieces.ts'
import { remember } from './remember.ts'

// What all PDFs are drawn with: text in any script that is broken into lines, and codes.

export type Document = PDFKit.PDFDocument

/** Lays out a word in a font; `scale` is that of its units to a thousandth of the size. */
type LayOut = (this: { font: Face; scale: number }, text: string, features?: object) => object

declare global {
  // The library takes fonts that are parsed already, which its types lack.
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, face: Face): this
      /** A private field: the font that is in use, as the document embeds it. */
      _font: { layoutRun?: LayOut }
    }
  }
}

export const MARGIN = 56
/** A4, in points. */
export const WIDTH = 595.28
/** Where the footer of a page begins. */
export const FOOTER = 775
const LINE_HEIGHT = 1.4
/** The library would parse Helvetica for each document. Its types do not know that null is allowed. */
export const NO_DEFAULT_FONT: object = { font: null }

/**
 * Keeps the font from splitting a letter from its accent in these scripts: the accent would become a character of its own when the text is
 * selected.
 */
function wholeLetters(text: string): { features?: never[] } {
  // ASCII has no accents, and without features the library caches the layout of each word.
  if (/^[ -~]*$/.test(text)) return {}
  const isWhole = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]+$/u.test(text)
  // Features can also be switched off by name, which the types do not cover.
  return isWhole ? { features: { ccmp: false } as unknown as never[] } : {}
}

/** Where and how a text is drawn. */
export interface Look {
  y: number
  size: number
  weight?: Weight
  color?: string
  /** Where the text stands between the margins; at the left by default. */
  align?: 'left' | 'centre' | 'right'
  /** What stays free at the left within the margins. */
  indent?: number
  /** What stays free at the right within the margins. */
  clear?: number
  /** Lines beyond this are cut off, with an ellipsis. */
  mostLines?: number
  /** The lower limit of the text; above the footer by default. */
  bottom?: number
}

/** Draws text in as many lines as it needs and there is room for, and returns where it ends. */
export async function paragraph(doc: Document, text: string, look: Look) {
  const { y, size, color = '#1f1f33', align = 'left', indent = 0 } = look
  let top = y
  doc.fontSize(size)
  for (const pieces of await linesOf(text, look)) {
    const widths = []
    for (const { text: part, font } of pieces) widths.push(use(doc, font, size).widthOfString(part))
    const total = widths.reduce((sum, width) => sum + width, 0)
    let x = { left: MARGIN + indent, centre: (WIDTH - total) / 2, right: WIDTH - MARGIN - total }[align]
    for (const [index, { text: part, font }] of pieces.entries()) {
      // Fonts have different ascents; all are drawn on the same baseline.
      use(doc, font, size).fillColor(color)
      doc.text(part, x, top + size, { lineBreak: false, baseline: 'alphabetic', ...wholeLetters(part) })
      x += widths[index] ?? 0
    }
    top += size * LINE_HEIGHT
  }
  return top
}

/** How high text will be, for drawing its ground first. */
export async function heightOf(text: string, look: Look): Promise<number> {
  return (await linesOf(text, look)).length * look.size * LINE_HEIGHT
}

/**
 * The first of these sizes, largest first, in which a text needs no more than its `mostLines`, ends above its `bottom`, and no word is
 * broken; the last one if there is none.
 */
export async function sizeFor(text: string, sizes: readonly number[], look: Omit<Look, 'size'>): Promise<number> {
  const { y, weight = 'regular', mostLines = 1, indent = 0, clear = 0, bottom = FOOTER } = look
  const width = WIDTH - 2 * MARGIN - indent - clear
  for (const size of sizes) {
    const lines = await wrap({ text, weight, size, most: mostLines + 1, width })
    const widths = await Promise.all(breakable(text).map((word) => widthOf(word.trimEnd(), weight, size)))
    const isLow = y + lines.length * size * LINE_HEIGHT > bottom
    if (lines.length <= mostLines && !isLow && Math.max(...widths) <= width) return size
  }
  return sizes.at(-1) ?? 0
}

async function linesOf(text: string, look: Look): Promise<readonly TextPiece[][]> {
  const { y, size, weight = 'regular', indent = 0, clear = 0, mostLines, bottom = FOOTER - 8 } = look
  const room = Math.floor((bottom - y) / (size * LINE_HEIGHT))
  const most = Math.min(room, mostLines ?? room)
  return most <= 0 ? [] : lay({ text, weight, size, most, width: WIDTH - 2 * MARGIN - indent - clear })
}

/** Takes a font by its name; the document knows each by it once. */
function use(doc: Document, { name, face }: Font, size: number): Document {
  doc.registerFont(name, face)
  const { _font: embedded } = doc.font(name).fontSize(size)
  if (!Object.hasOwn(embedded, 'layoutRun') && embedded.layoutRun)
    embedded.layoutRun = layoutsOf(face, embedded.layoutRun)
  return doc
}

const layouts = new WeakMap<Face, LayOut>()

/** Most words of a ticket stand on the other tickets of its event too. The library itself keeps how a word is laid out for one document. */
function layoutsOf(face: Face, layOut: LayOut): LayOut {
  const known = layouts.get(face)
  if (known) return known
  const font = { font: face, scale: 1000 / face.unitsPerEm }
  const kept = remember(1_000, ([text, features]: [string, object | undefined]) => {
    // A word that is kept for other documents must have its own letters only, see `forgetGlyphs`.
    forgetGlyphs([face])
    return layOut.call(font, text, features)
  })
  const shared: LayOut = (text, features) => kept([text, features])
  layouts.set(face, shared)
  return shared
}

/** A space at which no line breaks, as French has it before some marks; fonts lack the narrow one. */
const NARROW_SPACE = /\u202f/g
const SPACES = /[^\S\u00a0]+/g

interface Wrapping {
  text: string
  weight: Weight
  size: number
  /** How many lines there is room for. */
  most: number
  width: number
}

/** The lines of a text as they are drawn. All tickets of an event have most of their texts in common. */
const lay = remember(1_000, async (wrapping: Wrapping) => {
  const direction = directionOf(wrapping.text)
  const lines = await wrap(wrapping)
  return Promise.all(lines.map((line) => toPieces(line, wrapping.weight, direction)))
})

/**
 * Breaks text between words (anywhere in a script without spaces, and in a word that is longer than a line) so that each line fits. Text
 * that needs more lines than there is room for is cut off and ends with an ellipsis.
 */
async function wrap({ text, weight, size, most, width: room }: Wrapping): Promise<string[]> {
  const lines: string[] = []
  let line = ''
  let width = 0
  const gap = await widthOf(' ', weight, size)
  for (const part of breakable(text.replace(NARROW_SPACE, '\u00a0').replace(SPACES, ' '))) {
    const word = part.trimEnd().replaceAll('\u00a0', ' ')
    for (const { piece, wide } of await piecesThatFit(word, room, (each) => widthOf(each, weight, size))) {
      if (width + wide > room && line !== '') {
        if (lines.length === most - 1) return [...lines, withEllipsis(line)]
        lines.push(line.trimEnd())
        line = ''
        width = 0
      }
      if (line === '' && piece.trim() === '') continue
      line += piece
      width += wide
    }
    if (part.endsWith(' ') && line !== '') {
      line += ' '
      width += gap
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()]
}

/** How wide the characters of a text are, one beside the other. */
async function widthOf(text: string, weight: Weight, size: number): Promise<number> {
  return (await widthAtOnePoint({ text, weight })) * size
}

/** How wide a text is at a size of one point. Remembered, because tickets have most words in common. */
const widthAtOnePoint = remember(1_000, async ({ text, weight }: { text: string; weight: Weight }) => {
  let width = 0
  for (const character of text) {
    if (character.replace(invisible, '') === '') continue
    const { face } = await fontFor(character, weight)
    width += face.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth / face.unitsPerEm
  }
  return width
})

/** The word with its width, or its letters where it alone is wider than a line. */
async function piecesThatFit(word: string, room: number, widthOf: (text: string) => Promise<number>) {
  const wide = await widthOf(word)
  if (wide <= room) return [{ piece: word, wide }]
  const pieces = [...letters.segment(word)]
  return Promise.all(pieces.map(async ({ segment }) => ({ piece: segment, wide: await widthOf(segment) })))
}

/** Drops the last letters, to make room for the ellipsis. */
function withEllipsis(line: string): string {
  return `${[...letters.segment(line.trimEnd())]
    .slice(0, -2)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A code, `size` points wide, as squares on white, sharp at any size. */
export function drawQr(doc: Document, text: string, place: { x: number; y: number; size: number }): void {
  const { x, y, size: side } = place
  const squares = codeCells(text)
  doc.rect(x, y, side, side).fill('#fff')
  // In units of one square and as one piece: hundreds of calls of `rect` take longer than the code itself.
  doc
    .save()
    .translate(x, y)
    .scale(side / squares.length)
  doc.addContent(squares.flatMap(rectanglesOf).join(' '))
  doc.fill('#000').restore()
}

/** A row of a code as PDF operators: one rectangle for each run of dark squares. */
function rectanglesOf(row: readonly boolean[], y: number): string[] {
  const rectangles = []
  for (const [x, isDark] of row.entries()) {
    if (!isDark || row[x - 1]) continue
    const end = row.indexOf(false, x)
    rectangles.push(`${x} ${y} ${(end === -1 ? row.length : end) - x} 1 re`)
  }
  return rectangles
}
