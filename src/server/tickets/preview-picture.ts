import sharp from 'sharp'
import { coverParts } from '../covers/draw-cover.ts'
import { type Font, forgetGlyphs, type Weight } from './fonts/fonts.ts'
import { type TextPiece, toPieces } from './fonts/text-pieces.ts'

/** What link previews of an event without a banner show. */
export interface ShownOnPreview {
  name: string
  clubName: string
  /** When and where, one line each. */
  lines: readonly string[]
  seed: number
  /** `#rrggbb`. */
  colour: string
}

/** The size that link previews expect (https://ogp.me). */
const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const MOST_LINES = 3
const SIZES = [84, 72, 62, 54] as const

/** Draws the picture of a link preview, as JPEG: the event's cover, with its name, its club, when and where. */
export async function previewPicture({ name, clubName, lines, seed, colour }: ShownOnPreview): Promise<Buffer> {
  const { size, title } = await fitted(name)
  const rest = (await Promise.all(lines.map((line) => cut(line, 'regular', 36)))).map((line) => ({ line, size: 36 }))
  const club = await cut(clubName, 'bold', 34)
  let y = HEIGHT - MARGIN + 8 - rest.length * 52 - 16 - (title.length - 1) * size * 1.15
  const texts = [textAt(club, 34, 110)]
  for (const line of title) {
    texts.push(textAt(line, size, y))
    y += size * 1.15
  }
  y += 68 - size * 1.15
  for (const each of rest) {
    texts.push(textAt(each.line, each.size, y))
    y += 52
  }
  // A glyph drawn once would stay in memory for good.
  forgetGlyphs()
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice">`,
    coverParts({ seed, colour }),
    '</svg>',
    // Whatever the club's colour: white text can be read on it.
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#0d0d1a" opacity=".52"/>`,
    `<g fill="#fff">${texts.join('')}</g></svg>`,
  ].join('')
  return sharp(Buffer.from(svg)).jpeg({ quality: 84 }).toBuffer()
}

/** The name in the largest size in which it fits; in the smallest it is cut. */
async function fitted(name: string): Promise<{ size: number; title: TextPiece[][] }> {
  for (const size of SIZES) {
    const title = await wrapped(name, size)
    if (title.length <= MOST_LINES)
      return { size, title: await Promise.all(title.map((line) => cut(line, 'bold', size))) }
  }
  const size = SIZES[3]
  const lines = await wrapped(name, size)
  const last = lines.slice(MOST_LINES - 1).join(' ')
  const shown = [...lines.slice(0, MOST_LINES - 1), last]
  return { size, title: await Promise.all(shown.map((line) => cut(line, 'bold', size))) }
}

/** The words in lines as wide as the picture. A word that is wider than that has a line of its own. */
async function wrapped(text: string, size: number): Promise<string[]> {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(await toPieces(longer, 'bold'), size) > WIDTH - 2 * MARGIN) lines.push(word)
    else lines.splice(-1, 1, longer)
  }
  return lines
}

/** One line, cut where it is wider than the picture. */
async function cut(line: string, weight: Weight, size: number): Promise<TextPiece[]> {
  const characters = [...line]
  for (let length = characters.length; length > 0; length--) {
    const shown = length === characters.length ? line : `${characters.slice(0, length).join('').trimEnd()}…`
    const pieces = await toPieces(shown, weight)
    if (widthOf(pieces, size) <= WIDTH - 2 * MARGIN) return pieces
  }
  return []
}

function widthOf(pieces: readonly TextPiece[], size: number): number {
  return pieces.reduce((sum, { text, font }) => sum + font.face.layout(text).advanceWidth * scaleOf(font, size), 0)
}

const scaleOf = ({ face }: Font, size: number) => size / face.unitsPerEm

/** A line of text as outlines, since the fonts of the machine are not known. */
function textAt(pieces: readonly TextPiece[], size: number, y: number): string {
  let x = MARGIN
  const glyphs: string[] = []
  for (const { text, font } of pieces) {
    const scale = scaleOf(font, size)
    const run = font.face.layout(text)
    run.glyphs.forEach((glyph, at) => {
      const place = run.positions[at]
      const [left, top] = [x + (place?.xOffset ?? 0) * scale, y - (place?.yOffset ?? 0) * scale]
      const move = `translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})`
      glyphs.push(`<path transform="${move}" d="${glyph.path.toSVG()}"/>`)
      x += (place?.xAdvance ?? 0) * scale
    })
  }
  return glyphs.join('')
}
