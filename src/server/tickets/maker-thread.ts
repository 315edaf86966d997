import { qrPicture } from './qr-picture.ts'
import type { ShownOnPdf } from './shown-on-pdf.ts'
import { ticketPdf } from './ticket-pdf.ts'

/** What the threads beside the server make; each takes one argument that can be copied to it. */
export function makePdf(shown: ShownOnPdf): Promise<Buffer> {
  return ticketPdf(shown)
}

export function makePicture(text: string): Promise<Buffer> {
  return qrPicture(text)
}
