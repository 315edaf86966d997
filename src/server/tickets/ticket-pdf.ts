import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { formatSpan } from '../../contract/dates.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/tickets.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../db/schema.ts'
import { type Font, fontFor, type Weight } from './fonts.ts'
import { toPieces } from './text-pieces.ts'

export interface TicketFacts {
  registration: RegistrationRow
  event: EventRow
  club: ClubRow
  /** The vouchers bought with it. */
  purchases: readonly ExtrasPurchase[]
}

type Document = PDFKit.PDFDocument

const MARGIN = 56
/** A4, in points. */
const WIDTH = 595.28
const QR_SIZE = 240

/** The ticket as a PDF: A4, a page for each code, its text selectable and in any script. */
export async function ticketPdf(facts: TicketFacts, baseUrl: string): Promise<Buffer> {
  const { registration, event, club, purchases } = facts
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    info: { Title: `Ticket: ${event.name}`, Author: club.name, CreationDate: registration.registrationTime },
  })
  const content = buffer(doc)
  let y = await head(doc, facts)
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
  for (const { question, answer } of registration.others) {
    if (y > 720) break
    y = await paragraph(doc, `${question}: ${Array.isArray(answer) ? answer.join(', ') : answer}`, {
      y: y + 8,
      size: 11,
    })
  }
  await footer(doc, club)
  for (const voucher of purchases) await voucherPage(doc, facts, voucher, baseUrl)
  doc.end()
  return content
}

/** What stands above each code: the club and the event. Answers where it ends. */
async function head(doc: Document, { event, club }: TicketFacts): Promise<number> {
  doc.rect(0, 0, WIDTH, 14).fill('#6464d3')
  let y = await paragraph(doc, club.name, { y: 48, size: 13, weight: 'bold', color: '#4000b8' })
  y = await paragraph(doc, event.name, { y: y + 6, size: 26, weight: 'bold' })
  y = await paragraph(doc, formatSpan(event.startsAt, event.endsAt, event.timeZone), { y: y + 10, size: 13 })
  if (event.location) y = await paragraph(doc, event.location, { y: y + 2, size: 13 })
  return y
}

async function footer(doc: Document, club: ClubRow): Promise<void> {
  const contact = [club.name, club.location, club.email, club.website].filter((part) => part !== '').join(' · ')
  await paragraph(doc, contact, { y: 775, size: 9, color: '#5a5a72' })
}

/** A page of its own, so that a voucher can be torn off and given away. */
async function voucherPage(doc: Document, facts: TicketFacts, voucher: ExtrasPurchase, baseUrl: string): Promise<void> {
  doc.addPage()
  let y = await head(doc, facts)
  y = await paragraph(doc, `Voucher: ${voucher.name}`, { y: y + 18, size: 20, weight: 'bold', color: '#4000b8' })
  drawQr(doc, voucherUrl(baseUrl, voucher), (WIDTH - QR_SIZE) / 2, y + 20)
  y = await paragraph(doc, voucherCode(voucher), { y: y + 30 + QR_SIZE, size: 16, weight: 'bold', isCentred: true })
  y = await paragraph(doc, facts.registration.name, { y: y + 14, size: 14, isCentred: true })
  for (const { name, quantity } of voucher.content)
    y = await paragraph(doc, `${quantity} × ${name}`, { y: y + 8, size: 16, weight: 'bold', isCentred: true })
  await footer(doc, facts.club)
}

/**
 * Of scripts whose letters come with their accents, the font shall not make two of one: the accent alone would be a character that
 * nobody wrote when the text is selected.
 */
function wholeLetters(text: string): { features?: never[] } {
  const isWhole = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]+$/u.test(text)
  // Features by name can be switched off too, which the types do not know of.
  return isWhole ? { features: { ccmp: false } as unknown as never[] } : {}
}

interface Look {
  y: number
  size: number
  weight?: Weight
  color?: string
  isCentred?: boolean
}

/** Draws text in as many lines as it needs and answers where it ends. */
async function paragraph(
  doc: Document,
  text: string,
  { y, size, weight = 'regular', color = '#1f1f33', isCentred = false }: Look,
) {
  let top = y
  doc.fontSize(size)
  for (const line of await wrap(doc, text, weight, size)) {
    const pieces = await toPieces(line, weight)
    const widths = []
    for (const { text: part, font } of pieces) widths.push(use(doc, font, size).widthOfString(part))
    const total = widths.reduce((sum, width) => sum + width, 0)
    let x = isCentred ? (WIDTH - total) / 2 : MARGIN
    for (const [index, { text: part, font }] of pieces.entries()) {
      // Fonts stand on different heights in their boxes; all share the line they are written on.
      use(doc, font, size).fillColor(color)
      doc.text(part, x, top + size, { lineBreak: false, baseline: 'alphabetic', ...wholeLetters(part) })
      x += widths[index] ?? 0
    }
    top += size * 1.4
  }
  return top
}

/** Takes a font by its name; the document knows each by it once. */
function use(doc: Document, { name, bytes }: Font, size: number): Document {
  doc.registerFont(name, bytes)
  return doc.font(name).fontSize(size)
}

/** Breaks text between words (anywhere in a script without spaces) so that each line fits. */
async function wrap(doc: Document, text: string, weight: Weight, size: number): Promise<string[]> {
  const most = WIDTH - 2 * MARGIN
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const { segment } of words.segment(text.replace(/\s+/g, ' '))) {
    let wide = 0
    for (const character of segment) {
      const font = await fontFor(character, weight)
      wide += use(doc, font, size).widthOfString(character)
    }
    if (width + wide > most && line !== '') {
      lines.push(line.trimEnd())
      line = ''
      width = 0
    }
    if (line === '' && segment.trim() === '') continue
    line += segment
    width += wide
  }
  return line === '' ? lines : [...lines, line.trimEnd()]
}

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The code as squares on white, sharp at any size. */
function drawQr(doc: Document, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const cell = QR_SIZE / size
  doc.rect(x, y, QR_SIZE, QR_SIZE).fill('#fff')
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries()) if (isDark) doc.rect(x + column * cell, y + row * cell, cell, cell)
  doc.fill('#000')
}
