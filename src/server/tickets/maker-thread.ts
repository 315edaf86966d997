import { qrPicture } from './qr-picture.ts'
import { type TicketFacts, ticketPdf } from './ticket-pdf.ts'

/** What the thread beside the server makes; each takes one argument that can be copied to it. */
export function makePdf({ facts, baseUrl }: { facts: TicketFacts; baseUrl: string }): Promise<Buffer> {
  return ticketPdf(facts, baseUrl)
}

export function makePicture(text: string): Promise<Buffer> {
  return qrPicture(text)
}
