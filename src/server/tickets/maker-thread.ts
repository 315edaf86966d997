import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { qrPicture } from './qr-picture.ts'
import type { ShownOnPdf } from './shown-on-pdf.ts'
import { ticketPdf } from './ticket-pdf.ts'

// Visitors go first: drawing waits for a processor that nobody else wants.
if (!isMainThread) lowerPriority()

/** On Linux each thread has a priority of its own, under the number at the end of this link. Without it the thread works on as it is. */
function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 10)
  } catch {}
}

/** What the threads beside the server make; each takes one argument that can be copied to it. */
export function makePdf(shown: ShownOnPdf): Promise<Buffer> {
  return ticketPdf(shown)
}

export function makePicture(text: string): Promise<Buffer> {
  return qrPicture(text)
}
