import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { numbered } from '../../contract/extras.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import { forgetGlyphs } from './fonts.ts'
import { type Document, drawQr, FOOTER, heightOf, MARGIN, NO_DEFAULT_FONT, paragraph, WIDTH } from './pdf-drawing.ts'
import type { ShownOnPdf, ShownTicket } from './shown-on-pdf.ts'

/** The side of a code, in points. */
const QR_SIZE = 270
const VOUCHER_QR_SIZE = 184
/** What a code is for, beside the code. */
const KIND = { size: 20, weight: 'bold', color: '#4000b8' } as const
const GROUND = '#6464d3'
const QUIET = '#5a5a72'
const LINE = '#c9c9d9'
/** What the amounts of the receipt need. */
const AMOUNT_WIDTH = 90
/** Where all text ends. */
const BOTTOM = 820
/** Where the vouchers of a page begin. */
const VOUCHER_TOPS = [40, 287, 534] as const
const VOUCHER_HEIGHT = 216
/** What is free around the code of a voucher. */
const VOUCHER_PADDING = 16

/** The tickets as a PDF: A4, a page for each ticket and for each three of its vouchers, its text selectable and in any script. */
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
    for (const [index, voucher] of ticket.purchases.entries()) {
      const place = index % VOUCHER_TOPS.length
      if (place === 0) {
        doc.addPage()
        await footer(doc, ticket.club)
      } else cutLine(doc, VOUCHER_TOPS[place] ?? 0)
      await drawVoucher(doc, { ticket, voucher, baseUrl, top: VOUCHER_TOPS[place] ?? 0 })
    }
  }
  doc.end()
  // Fonts are embedded by now.
  forgetGlyphs()
  return content
}

async function ticketPage(doc: Document, ticket: ShownTicket, baseUrl: string): Promise<void> {
  const { registration, club, paid } = ticket
  let y = await head(doc, ticket)
  drawQr(doc, ticketUrl(baseUrl, registration), { x: (WIDTH - QR_SIZE) / 2, y: y + 32, size: QR_SIZE })
  y = await paragraph(doc, shortCode(registration), {
    y: y + 40 + QR_SIZE,
    size: 18,
    weight: 'bold',
    align: 'centre',
  })
  y = await paragraph(doc, registration.name, { y: y + 8, size: 24, weight: 'bold', align: 'centre' })
  y = await paragraph(doc, 'Show this code at the door. It lets one person in, once.', {
    y: y + 2,
    size: 12,
    color: QUIET,
    align: 'centre',
  })
  // Above the answers, which may fill the page.
  if (paid) {
    perforation(doc, y + 20)
    y += 32
    const lines = paid.rows.length > 1 ? paid.rows : []
    for (const cells of lines) y = await receiptLine(doc, y, cells)
    y = await receiptLine(doc, y, paid.total, 'bold')
  }
  if (registration.others.length > 0) perforation(doc, y + 14)
  for (const [index, { question, answer }] of registration.others.entries()) {
    const text = `${question}: ${Array.isArray(answer) ? answer.join(', ') : answer}`
    y = await paragraph(doc, text, { y: y + (index === 0 ? 24 : 6), size: 11, align: 'centre' })
  }
  await footer(doc, club)
}

/** Draws the head of a ticket: the club and the event, on a ground. Returns where it ends, which leaves room for the code. */
async function head(doc: Document, { event, club }: ShownTicket): Promise<number> {
  const white = { color: '#ffffff' }
  const lines = [
    { text: club.name, gap: 0, look: { size: 13, weight: 'bold', mostLines: 2 } as const },
    { text: event.name, gap: 4, look: { size: 26, weight: 'bold', mostLines: 3 } as const },
    {
      text: formatSpan(event.startsAt, event.endsAt, event.timeZone),
      gap: 8,
      look: { size: 13, mostLines: 2 } as const,
    },
    { text: event.location, gap: 1, look: { size: 13, mostLines: 3 } as const },
  ].filter(({ text }) => text !== '')
  let height = 40
  for (const { text, gap, look } of lines) height += gap + (await heightOf(text, { ...look, y: 0 }))
  height += 24
  doc.rect(0, 0, WIDTH, height).fill(GROUND)
  doc.save().rect(0, 0, WIDTH, height).clip()
  doc
    .circle(WIDTH - 30, 10, 110)
    .fillOpacity(0.16)
    .fill('#fff')
  doc
    .circle(WIDTH - 150, height + 20, 60)
    .fillOpacity(0.12)
    .fill('#fff')
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

async function footer(doc: Document, club: ShownTicket['club']): Promise<void> {
  const contact = [club.name, club.location, club.email, club.website].filter((part) => part !== '').join(' · ')
  await paragraph(doc, contact, { y: FOOTER, size: 9, color: QUIET, align: 'centre', bottom: BOTTOM })
}

interface VoucherPlace {
  ticket: ShownTicket
  voucher: ShownTicket['purchases'][number]
  baseUrl: string
  top: number
}

/** Draws a voucher as a card: its code, and beside it what it is for. */
async function drawVoucher(doc: Document, { ticket, voucher, baseUrl, top }: VoucherPlace): Promise<void> {
  const { event, club, registration } = ticket
  doc
    .roundedRect(MARGIN, top, WIDTH - 2 * MARGIN, VOUCHER_HEIGHT, 12)
    .strokeColor(LINE)
    .stroke()
  drawQr(doc, voucherUrl(baseUrl, voucher), {
    x: MARGIN + VOUCHER_PADDING,
    y: top + VOUCHER_PADDING,
    size: VOUCHER_QR_SIZE,
  })
  const line = {
    indent: VOUCHER_QR_SIZE + 2.5 * VOUCHER_PADDING,
    clear: VOUCHER_PADDING,
    bottom: top + VOUCHER_HEIGHT - VOUCHER_PADDING / 2,
  }
  const quiet = { ...line, size: 12, color: QUIET, mostLines: 1 }
  let y = await paragraph(doc, `Voucher: ${numbered(voucher, ticket.purchases)}`, {
    ...line,
    ...KIND,
    y: top + VOUCHER_PADDING,
    mostLines: 2,
  })
  const holds = voucher.content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  y = await paragraph(doc, holds, { ...line, y: y + 2, size: 16, mostLines: 2 })
  y = await paragraph(doc, `${event.name} · ${club.name}`, { ...quiet, y: y + 8 })
  y = await paragraph(doc, formatSpan(event.startsAt, event.endsAt, event.timeZone), { ...quiet, y })
  y = await paragraph(doc, voucherCode(voucher), { ...line, y: y + 10, size: 18, weight: 'bold', mostLines: 1 })
  await paragraph(doc, registration.name, { ...line, y, size: 16, weight: 'bold', mostLines: 1 })
}
