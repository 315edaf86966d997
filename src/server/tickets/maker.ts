import { Piscina } from 'piscina'
import * as here from './maker-thread.ts'
import type { TicketFacts } from './ticket-pdf.ts'

/**
 * A thread of its own, so that no request waits while tickets are drawn; it ends when there is nothing to draw. Only of the built
 * server: tests run the sources, which a bare thread cannot read, and draw in place.
 */
const pool = import.meta.filename.endsWith('.js')
  ? new Piscina({
      filename: new URL('./maker-thread.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 30_000,
    })
  : null

/** The ticket as a PDF, see `ticketPdf`. */
export async function makePdf(facts: TicketFacts, baseUrl: string): Promise<Buffer> {
  const task: Parameters<typeof here.makePdf>[0] = { facts, baseUrl }
  return pool ? Buffer.from(await pool.run(task, { name: 'makePdf' })) : here.makePdf(task)
}

/** A code as a PNG, see `qrPicture`. */
export async function makePicture(text: string): Promise<Buffer> {
  return pool ? Buffer.from(await pool.run(text, { name: 'makePicture' })) : here.makePicture(text)
}
