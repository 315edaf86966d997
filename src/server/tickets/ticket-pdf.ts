import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { numbered } from '../../contract/extras.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import { forgetGlyphs } from './fonts.ts'
import { type Document, drawQr, FOOTER, MARGIN, NO_DEFAULT_FONT, paragraph, WIDTH } from './pdf-drawing.ts'
import type { ShownOnPdf, ShownTicket } from './shown-on-pdf.ts'

/** The side of a code, in points. */
const QR_SIZE = 240
/** What a page's code is for, above the code. */
const KIND = { size: 20, weight: 'bold', color: '#4000b8' } as const
/** Where all text ends. */
const BOTTOM = 820

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
  y = await paragraph(doc, 'Ticket', { y: y + 18, ...KIND })
  drawQr(doc, ticketUrl(baseUrl, registration), { y: y + 20, size: QR_SIZE })
  y = await paragraph(doc, shortCode(registration), {
    y: y + 20 + QR_SIZE + 10,
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
    y = await paragraph(doc, text, { y: y + 8, size: 11, isCentred: true })
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
  y = await paragraph(doc, `Voucher: ${numbered(voucher, ticket.purchases)}`, {
    y: y + 18,
    ...KIND,
    mostLines: 2,
  })
  drawQr(doc, voucherUrl(baseUrl, voucher), { y: y + 20, size: QR_SIZE })
  y = await paragraph(doc, voucherCode(voucher), { y: y + 30 + QR_SIZE, size: 16, weight: 'bold', isCentred: true })
  y = await paragraph(doc, ticket.registration.name, { y: y + 14, size: 14, isCentred: true, mostLines: 2 })
  for (const { name, quantity } of voucher.content)
    y = await paragraph(doc, `${quantity} × ${name}`, { y: y + 8, size: 16, weight: 'bold', isCentred: true })
  await footer(doc, ticket.club)
}
