import { buffer } from 'node:stream/consumers'
import type { Font as Face } from 'fontkit'
import PDFDocument from 'pdfkit'
import { formatSpan } from '../../contract/values/dates.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import { codeCells } from './code-cells.ts'
import { type Font, fontFor, forgetGlyphs, type Weight } from './fonts.ts'
import type { ShownOnPdf, ShownTicket } from './shown-on-pdf.ts'
import { invisible, toPieces } from './text-pieces.ts'

type Document = PDFKit.PDFDocument

declare global {
  // The library takes fonts that are parsed already, which its types lack.
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, face: Face): this
    }
  }
}

const MARGIN = 56
/** A4, in points. */
const WIDTH = 595.28
const QR_SIZE = 240
/** Where the footer begins, and where all text ends. */
const FOOTER = 775
const BOTTOM = 820
const LINE_HEIGHT = 1.4
/** The library would parse Helvetica for each document. Its types do not know that null is allowed. */
const NO_DEFAULT_FONT: object = { font: null }

/** The tickets as a PDF: A4, a page for each code, its text selectable and in any script. */
export async function ticketPdf({ tickets, baseUrl }: ShownOnPdf): Promise<Buffer> {
  const [first] = tickets
  if (!first) throw new Error('A PDF needs a ticket.')
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    tagged: true,
    ...NO_DEFAULT_FONT,
    displayTitle: true,
    info: {
      Title: `${tickets.length === 1 ? 'Ticket' : 'Tickets'}: ${first.event.name}`,
      Author: first.club.name,
      CreationDate: first.registration.registrationTime,
    },
  })
  const content = buffer(doc)
  for (const ticket of tickets) {
    if (ticket !== first) doc.addPage()
    await ticketPage(doc, ticket, baseUrl)
    for (const voucher of ticket.purchases) {
      doc.addPage()
      await voucherPage(doc, ticket, voucher, baseUrl)
    }
  }
  doc.end()
  // Fonts are embedded by now.
  forgetGlyphs()
  return content
}

async function ticketPage(doc: Document, ticket: ShownTicket, baseUrl: string): Promise<void> {
  const { registration, club } = ticket
  let y = await head(doc, ticket)
  drawQr(doc, ticketUrl(baseUrl, registration), (WIDTH - QR_SIZE) / 2, y + 28)
  y = await paragraph(doc, shortCode(registration), {
    y: y + 28 + QR_SIZE + 10,
    size: 16,
    weight: 'bold',
    isCentred: true,
  })
  y = await paragraph(doc, registration.name, { y: y + 18, size: 18, weight: 'bold', isCentred: true })
  y = await paragraph(doc, 'Show this code at the door. It lets one person in, once.', {
    y: y + 4,
    size: 11,
    color: '#5a5a72',
    isCentred: true,
  })
  // Above the answers, which may fill the page.
  for (const [index, text] of ticket.paid.entries())
    y = await paragraph(doc, text, { y: y + (index === 0 ? 8 : 2), size: 11, isCentred: true, mostLines: 3 })
  for (const { question, answer } of registration.others) {
    const text = `${question}: ${Array.isArray(answer) ? answer.join(', ') : answer}`
    y = await paragraph(doc, text, { y: y + 8, size: 11 })
  }
  await footer(doc, club)
}

/** Draws the head above each code: the club and the event. Returns where it ends, which leaves room for the code. */
async function head(doc: Document, { event, club }: ShownTicket): Promise<number> {
  doc.rect(0, 0, WIDTH, 14).fill('#6464d3')
  let y = await paragraph(doc, club.name, { y: 48, size: 13, weight: 'bold', color: '#4000b8', mostLines: 2 })
  y = await paragraph(doc, event.name, { y: y + 6, size: 26, weight: 'bold', mostLines: 3 })
  y = await paragraph(doc, formatSpan(event.startsAt, event.endsAt, event.timeZone), { y: y + 10, size: 13 })
  if (event.location) y = await paragraph(doc, event.location, { y: y + 2, size: 13, mostLines: 3 })
  return y
}

async function footer(doc: Document, club: ShownTicket['club']): Promise<void> {
  const contact = [club.name, club.location, club.email, club.website].filter((part) => part !== '').join(' · ')
  await paragraph(doc, contact, { y: FOOTER, size: 9, color: '#5a5a72', bottom: BOTTOM })
}

/** A page of its own, so that a voucher can be torn off and given away. */
async function voucherPage(
  doc: Document,
  ticket: ShownTicket,
  voucher: ShownTicket['purchases'][number],
  baseUrl: string,
): Promise<void> {
  let y = await head(doc, ticket)
  y = await paragraph(doc, `Voucher: ${voucher.name}`, {
    y: y + 18,
    size: 20,
    weight: 'bold',
    color: '#4000b8',
    mostLines: 2,
  })
  drawQr(doc, voucherUrl(baseUrl, voucher), (WIDTH - QR_SIZE) / 2, y + 20)
  y = await paragraph(doc, voucherCode(voucher), { y: y + 30 + QR_SIZE, size: 16, weight: 'bold', isCentred: true })
  y = await paragraph(doc, ticket.registration.name, { y: y + 14, size: 14, isCentred: true, mostLines: 2 })
  for (const { name, quantity } of voucher.content)
    y = await paragraph(doc, `${quantity} × ${name}`, { y: y + 8, size: 16, weight: 'bold', isCentred: true })
  await footer(doc, ticket.club)
}

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

interface Look {
  y: number
  size: number
  weight?: Weight
  color?: string
  isCentred?: boolean
  /** Lines beyond this are cut off, with an ellipsis. */
  mostLines?: number
  /** The lower limit of the text; above the footer by default. */
  bottom?: number
}

/** Draws text in as many lines as it needs and there is room for, and returns where it ends. */
async function paragraph(
  doc: Document,
  text: string,
  { y, size, weight = 'regular', color = '#1f1f33', isCentred = false, mostLines, bottom = FOOTER - 8 }: Look,
) {
  let top = y
  doc.fontSize(size)
  const room = Math.floor((bottom - y) / (size * LINE_HEIGHT))
  const most = Math.min(room, mostLines ?? room)
  if (most <= 0) return y
  for (const line of await wrap(text, { weight, size, most })) {
    const pieces = await toPieces(line, weight)
    const widths = []
    for (const { text: part, font } of pieces) widths.push(use(doc, font, size).widthOfString(part))
    const total = widths.reduce((sum, width) => sum + width, 0)
    let x = isCentred ? (WIDTH - total) / 2 : MARGIN
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

/** Takes a font by its name; the document knows each by it once. */
function use(doc: Document, { name, face }: Font, size: number): Document {
  doc.registerFont(name, face)
  return doc.font(name).fontSize(size)
}

interface Wrapping {
  weight: Weight
  size: number
  /** How many lines there is room for. */
  most: number
}

/**
 * Breaks text between words (anywhere in a script without spaces, and in a word that is longer than a line) so that each line fits. Text
 * that needs more lines than there is room for is cut off and ends with an ellipsis.
 */
async function wrap(text: string, { weight, size, most }: Wrapping): Promise<string[]> {
  const room = WIDTH - 2 * MARGIN
  const widthOf = async (character: string) => {
    if (character.replace(invisible, '') === '') return 0
    const { face } = await fontFor(character, weight)
    return (face.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth / face.unitsPerEm) * size
  }
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const { segment } of words.segment(text.replace(/\s+/g, ' '))) {
    for (const { piece, wide } of await piecesThatFit(segment, room, widthOf)) {
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
  }
  return line === '' ? lines : [...lines, line.trimEnd()]
}

/** The word with its width, or its letters where it alone is wider than a line. */
async function piecesThatFit(word: string, room: number, widthOf: (character: string) => Promise<number>) {
  const pieces = []
  for (const { segment } of letters.segment(word)) {
    let wide = 0
    for (const character of segment) wide += await widthOf(character)
    pieces.push({ piece: segment, wide })
  }
  const wide = pieces.reduce((sum, piece) => sum + piece.wide, 0)
  return wide > room ? pieces : [{ piece: word, wide }]
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
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The code as squares on white, sharp at any size. */
function drawQr(doc: Document, text: string, x: number, y: number): void {
  const { data, size } = codeCells(text)
  const cell = QR_SIZE / size
  doc.rect(x, y, QR_SIZE, QR_SIZE).fill('#fff')
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries()) {
      if (!isDark || cells[column - 1]) continue
      // Dark squares side by side are one rectangle.
      const end = cells.indexOf(false, column)
      doc.rect(x + column * cell, y + row * cell, ((end === -1 ? size : end) - column) * cell, cell)
    }
  doc.fill('#000')
}
