import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import type { Composed } from '../mail/compose-message.ts'
import type { Mail } from '../mail/mailer.ts'
import { listPdf } from './list-pdf.ts'
import { posterPdf, type ShownOnPoster } from './poster-pdf.ts'
import { previewPicture, type ShownOnPreview } from './preview-picture.ts'
import { qrPicture } from './qr-picture.ts'
import type { ShownList } from './shown-list.ts'
import type { ShownOnPdf } from './shown-on-pdf.ts'
import { ticketPdf } from './ticket-pdf.ts'

// Visitors go first: drawing uses processor time that nobody else needs.
if (!isMainThread) lowerPriority()

/** On Linux each thread has a priority of its own, under the number at the end of this link. Without it the thread works on as it is. */
function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), 10)
  } catch {}
}

/** The functions of the worker threads; each takes one argument that can be copied to it. */
export function makePdf(shown: ShownOnPdf): Promise<Buffer> {
  return ticketPdf(shown)
}

export function makePoster(shown: ShownOnPoster): Promise<Buffer> {
  return posterPdf(shown)
}

export function makeList(shown: ShownList): Promise<Buffer> {
  return listPdf(shown)
}

export function makePreview(shown: ShownOnPreview): Promise<Buffer> {
  return previewPicture(shown)
}

/** What a mail needs: its PDF, unless that is known already, and these codes as pictures. */
export interface MailFiles {
  shown: ShownOnPdf | null
  codes: readonly string[]
}

export async function makeMailFiles({ shown, codes }: MailFiles): Promise<{ pdf: Buffer | null; pictures: Buffer[] }> {
  return { pdf: shown && (await ticketPdf(shown)), pictures: codes.map(qrPicture) }
}

export async function makeMessage({ sender, mail }: { sender: string; mail: Mail }): Promise<Composed> {
  // Only the thread that draws for mails needs it.
  const { composeMessage } = await import('../mail/compose-message.ts')
  return composeMessage(sender, mail)
}
