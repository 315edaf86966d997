import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { forgetGlyphs } from './fonts/fonts.ts'
import {
  type Document,
  drawQr,
  FOOTER,
  heightOf,
  type Look,
  MARGIN,
  NO_DEFAULT_FONT,
  paragraph,
  sizeFor,
  WIDTH,
} from './pdf-drawing.ts'
import type { ShownOnPdf, ShownTicket, ShownVoucher } from './shown-on-pdf.ts'

/** The side of a code, in points. */
const QR_SIZE = 270
const VOUCHER_QR_SIZE = 184
const QUIET = '#5a5a72'
const LINE = '#c9c9d9'
/** What the amounts of the receipt need. */
const AMOUNT_WIDTH = 90
/** Where all text ends. */
const BOTTOM = 820
/** Where the vouchers of a page begin. */
const VOUCHER_TOPS = [40, 287, 534] as const
const VOUCHER_HEIGHT = 216
/** The coloured band at the left of a voucher. */
const VOUCHER_BAND = 10
/** Space around the code of a voucher, in points. */
const VOUCHER_PADDING = 16

/** The tickets as a PDF: A4, a page for each ticket and for each three of its vouchers, its text selectable and in any script. */
export async function ticketPdf({ language, title, createdAt, tickets }: ShownOnPdf): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language,
    tagged: true,
    ...NO_DEFAULT_FONT,
    displayTitle: true,
    info: { Title: title, Author: tickets[0]?.club ?? '', CreationDate: createdAt },
  })
  const content = buffer(doc)
  for (const [at, ticket] of tickets.entries()) {
    if (at > 0) doc.addPage()
    await ticketPage(doc, ticket)
    for (const [index, voucher] of ticket.vouchers.entries()) {
      const place = index % VOUCHER_TOPS.length
      const top = VOUCHER_TOPS[place] ?? 0
      if (place === 0) {
        doc.addPage()
        await footer(doc, ticket)
      } else cutLine(doc, top)
      await drawVoucher(doc, { ticket, voucher, top })
    }
  }
  doc.end()
  // Fonts are embedded by now.
  forgetGlyphs()
  return content
}

async function ticketPage(doc: Document, ticket: ShownTicket): Promise<void> {
  const { url, code, name, note, paid, answers } = ticket
  const centred = { align: 'centre' } as const
  let y = await head(doc, ticket)
  drawQr(doc, url, { x: (WIDTH - QR_SIZE) / 2, y: y + 32, size: QR_SIZE })
  y = await paragraph(doc, code, { ...centred, y: y + 40 + QR_SIZE, size: 18, weight: 'bold' })
  y = await paragraph(doc, name, { ...centred, y: y + 8, size: 24, weight: 'bold' })
  y = await paragraph(doc, note, { ...centred, y: y + 2, size: 12, color: QUIET })
  // Above the answers, which may fill the page.
  if (paid) {
    perforation(doc, y + 20)
    y += 32
    const lines = paid.rows.length > 1 ? paid.rows : []
    for (const cells of lines) y = await receiptLine(doc, y, cells)
    y = await receiptLine(doc, y, paid.total, 'bold')
  }
  if (answers.length > 0) perforation(doc, y + 14)
  for (const [index, answer] of answers.entries())
    y = await paragraph(doc, answer, { ...centred, y: y + (index === 0 ? 24 : 6), size: 11 })
  await footer(doc, ticket)
}

/** Draws the head of a ticket: the club and the event, on a ground. Returns where it ends, which leaves room for the code. */
async function head(doc: Document, { club, event, type, when, place, colours }: ShownTicket): Promise<number> {
  const size = await sizeFor(event, [26, 22, 19], { y: 0, weight: 'bold', mostLines: 3 })
  const white = { color: '#ffffff' }
  const lines = [
    { text: club, gap: 0, look: { size: 13, weight: 'bold', mostLines: 2 } as const },
    { text: event, gap: 4, look: { size, weight: 'bold', mostLines: 3 } as const },
    { text: type, gap: 4, look: { size: 15, weight: 'bold', mostLines: 2 } as const },
    { text: when, gap: 8, look: { size: 13, mostLines: 2 } as const },
    { text: place, gap: 1, look: { size: 13, mostLines: 3 } as const },
  ].filter(({ text }) => text !== '')
  let height = 40
  for (const { text, gap, look } of lines) height += gap + (await heightOf(text, { ...look, y: 0 }))
  height += 24
  doc.rect(0, 0, WIDTH, height).fill(colours.ground)
  doc.save().rect(0, 0, WIDTH, height).clip()
  // Darker than the ground: white words that reach them stay readable.
  doc
    .circle(WIDTH - 30, 10, 110)
    .fillOpacity(0.16)
    .fill('#000')
  doc
    .circle(WIDTH - 150, height + 20, 60)
    .fillOpacity(0.12)
    .fill('#000')
  doc.fillOpacity(1).restore()
  let y = 40
  for (const { text, gap, look } of lines) y = await paragraph(doc, text, { ...look, ...white, y: y + gap })
  return height
}

async function receiptLine(doc: Document, y: number, [label, amount]: [string, string], weight?: 'bold') {
  const look = { y, size: 12, mostLines: 1, ...(weight && { weight }) }
  const end = await paragraph(doc, label, { ...look, clear: AMOUNT_WIDTH })
  if (end > y) await paragraph(doc, amount, { ...look, align: 'right' })
  return end + 3
}

/** A dashed line between the parts of a ticket, as if one could be torn off. */
function perforation(doc: Document, y: number): void {
  if (y > FOOTER - 30) return
  doc
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .dash(4, { space: 4 })
    .strokeColor(LINE)
    .stroke()
    .undash()
}

/** Above a voucher, so that it can be cut off and given away. */
function cutLine(doc: Document, top: number): void {
  const y = top - (VOUCHER_TOPS[1] - VOUCHER_TOPS[0] - VOUCHER_HEIGHT) / 2
  doc.moveTo(0, y).lineTo(WIDTH, y).dash(4, { space: 4 }).strokeColor('#8a8aa3').stroke().undash()
}

async function footer(doc: Document, { contact }: ShownTicket): Promise<void> {
  await paragraph(doc, contact, { y: FOOTER, size: 9, color: QUIET, align: 'centre', bottom: BOTTOM })
}

interface VoucherPlace {
  ticket: ShownTicket
  voucher: ShownVoucher
  top: number
}

/** Draws a voucher as a card: its code, and beside it what it is for. */
async function drawVoucher(doc: Document, { ticket, voucher, top }: VoucherPlace): Promise<void> {
  const width = WIDTH - 2 * MARGIN
  doc.save().roundedRect(MARGIN, top, width, VOUCHER_HEIGHT, 12).clip()
  doc.rect(MARGIN, top, VOUCHER_BAND, VOUCHER_HEIGHT).fill(ticket.colours.ground).restore()
  doc.roundedRect(MARGIN, top, width, VOUCHER_HEIGHT, 12).strokeColor(LINE).stroke()
  const left = VOUCHER_BAND + VOUCHER_PADDING
  drawQr(doc, voucher.url, { x: MARGIN + left, y: top + VOUCHER_PADDING, size: VOUCHER_QR_SIZE })
  const within = {
    indent: left + VOUCHER_QR_SIZE + 1.5 * VOUCHER_PADDING,
    clear: VOUCHER_PADDING,
    bottom: top + VOUCHER_HEIGHT,
  }
  // What it holds must be readable as a whole, so the rest makes room for it.
  const isLong = (await heightOf(voucher.units, { ...within, size: 16, y: top })) > 2 * 16 * 1.5
  const [title, units, small, code, name] = isLong ? [16, 10, 9, 14, 12] : [20, 16, 11, 18, 14]
  const quiet = { size: small, color: QUIET } as const
  const lines: { text: string; gap: number; look: Omit<Look, 'y'> }[] = [
    { text: voucher.title, gap: 0, look: { size: title, weight: 'bold', color: ticket.colours.ink, mostLines: 2 } },
    { text: voucher.units, gap: 2, look: { size: units, mostLines: isLong ? 5 : 2 } },
    { text: `${ticket.event} · ${ticket.club}`, gap: 4, look: { ...quiet, mostLines: isLong ? 1 : 2 } },
    { text: ticket.when, gap: 0, look: { ...quiet, mostLines: 2 } },
    { text: voucher.code, gap: 6, look: { size: code, weight: 'bold', mostLines: 1 } },
    { text: ticket.name, gap: 0, look: { size: name, weight: 'bold', mostLines: 1 } },
  ]
  let height = 0
  for (const { text, gap, look } of lines) height += gap + (await heightOf(text, { ...within, ...look, y: top }))
  // In the middle of the card, beside the code.
  let y = top + Math.max(4, (VOUCHER_HEIGHT - height) / 2)
  for (const { text, gap, look } of lines) y = await paragraph(doc, text, { ...within, ...look, y: y + gap })
}
