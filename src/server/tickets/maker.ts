import { type Composed, composeMessage } from '../mail/compose-message.ts'
import type { Mail } from '../mail/mailer.ts'
import { makeThread } from '../threads/make-thread.ts'
import { makeTurns } from '../turns.ts'
import type { MailFiles } from './maker-thread.ts'
import { keyOf, makePdfCache } from './pdf-cache.ts'
import type { ShownOnPoster } from './poster-pdf.ts'
import type { ShownOnPreview } from './preview-picture.ts'
import type { ShownList } from './shown-list.ts'
import { type ShownOnPdf, shownOf, type TicketFacts } from './shown-on-pdf.ts'

/** How many visitors may wait for a PDF. One with a hundred vouchers takes far longer than the usual one. */
const MOST_WAITING = 20
const CACHE_BYTES = 16 * 1024 * 1024
const PREVIEW_BYTES = 8 * 1024 * 1024

/** Loaded only where it runs: the drawing libraries are large and would slow the start. */
const here = () => import('./maker-thread.ts')

// Separate threads, so that visitors who ask for PDFs do not slow down mails.
const forMails = makeThread('./maker-thread.js')
const forVisitors = makeThread('./maker-thread.js')
// A list of thousands takes seconds.
const forLists = makeThread('./maker-thread.js')
const inTurn = makeTurns({ mostWaiting: MOST_WAITING })
const inTurnOfStaff = makeTurns({ mostWaiting: MOST_WAITING, mostWaitingOfOne: 2 })
const cache = makePdfCache(CACHE_BYTES)
// Few and apart, so that programs that ask for previews keep nobody from a ticket.
const inTurnOfPreviews = makeTurns({ mostWaiting: 4 })
const previews = makePdfCache(PREVIEW_BYTES)

/** The tickets of a mail as one PDF, and each of these codes as a picture: see `ticketPdf` and `qrPicture`. */
export async function filesForMail(
  tickets: readonly TicketFacts[],
  codes: readonly string[],
  baseUrl: string,
): Promise<{ pdf: Buffer; pictures: Buffer[] }> {
  const shown = shownOf(tickets, baseUrl)
  const key = keyOf(shown)
  const known = cache.get(key)
  // Together, because a message to the thread takes as long as half a picture.
  const made = await drawForMail({ shown: known ? null : shown, codes })
  const pdf = known ?? made.pdf
  if (!pdf) throw new Error('No PDF was made.')
  cache.set(key, pdf)
  return { pdf, pictures: made.pictures }
}

async function drawForMail(files: MailFiles): Promise<{ pdf: Buffer | null; pictures: Buffer[] }> {
  if (!forMails) return (await here()).makeMailFiles(files)
  const { pdf, pictures } = await forMails.run(files, { name: 'makeMailFiles' })
  return { pdf: pdf && Buffer.from(pdf), pictures: pictures.map((picture: Uint8Array) => Buffer.from(picture)) }
}

/**
 * Tickets as a PDF for the visitor who asks for them. Visitors wait in a queue, and leave it when their connection closes. Refuses
 * with UNAVAILABLE when too many wait.
 */
export async function pdfForVisitor(
  tickets: readonly TicketFacts[],
  baseUrl: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const shown = shownOf(tickets, baseUrl)
  const key = keyOf(shown)
  // The cache is checked again in turn: the one before may have asked for the same ticket.
  return cache.get(key) ?? inTurn(() => kept(key, () => draw(shown)), { signal })
}

async function kept(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const known = cache.get(key)
  if (known) return known
  const pdf = await make()
  cache.set(key, pdf)
  return pdf
}

async function draw(shown: ShownOnPdf): Promise<Buffer> {
  return forVisitors ? Buffer.from(await forVisitors.run(shown, { name: 'makePdf' })) : (await here()).makePdf(shown)
}

/** The poster of an event, see `posterPdf`. Clubs wait in a queue of their own, each with a share of it. */
export function posterForStaff(shown: ShownOnPoster, owner: string, signal: AbortSignal): Promise<Buffer> {
  return inTurnOfStaff(
    async () =>
      forVisitors
        ? Buffer.from(await forVisitors.run(shown, { name: 'makePoster' }))
        : (await here()).makePoster(shown),
    { owner, signal },
  )
}

/** A list of attendees, see `listPdf`. Clubs wait in the queue of posters. */
export function listForStaff(shown: ShownList, owner: string, signal: AbortSignal): Promise<Buffer> {
  return inTurnOfStaff(
    async () =>
      forLists ? Buffer.from(await forLists.run(shown, { name: 'makeList' })) : (await here()).makeList(shown),
    { owner, signal },
  )
}

/** The picture of a link preview, see `previewPicture`. Refuses with UNAVAILABLE when too many wait. */
export async function previewForVisitor(shown: ShownOnPreview, signal: AbortSignal): Promise<Buffer> {
  const key = keyOf(shown)
  const draw = async () => {
    const known = previews.get(key)
    if (known) return known
    const picture = forVisitors
      ? Buffer.from(await forVisitors.run(shown, { name: 'makePreview' }))
      : await (await here()).makePreview(shown)
    previews.set(key, picture)
    return picture
  }
  return previews.get(key) ?? inTurnOfPreviews(draw, { signal })
}

/** Composes a mail, see `composeMessage`: one with files in the thread that draws for mails, because visitors would wait for it otherwise. */
export async function composeApart(sender: string, mail: Mail): Promise<Composed> {
  if (!forMails || mail.attachments === undefined) return composeMessage(sender, mail)
  const { envelope, raw } = await forMails.run({ sender, mail }, { name: 'makeMessage' })
  return { envelope, raw: Buffer.from(raw) }
}
