import { type ExtrasPurchase, numbered } from '../../contract/extras.ts'
import { receiptTable, receiptTexts } from '../../contract/receipts.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { readImage } from '../images/read-image.ts'
import type { Together } from '../mail/composed.ts'
import { type MailPart, mailPage } from '../mail/layout.ts'
import type { Attachment } from '../mail/mailer.ts'
import { makePicture, pdfForMail } from '../tickets/maker.ts'
import { calendarAttachment } from './calendar-of.ts'
import { type About, addressed, factsOf, findAllAbout, frameOf, mapLink } from './mail-facts.ts'
import { canReturnTicket } from './return-ticket.ts'

/**
 * The mail with the tickets of an address for an event, as pictures, as PDF and for the calendar; null when none of the registrations
 * is confirmed any more.
 */
export async function ticketMail(deps: Deps, rows: readonly MailRow[]): Promise<Together> {
  const abouts = await findAllAbout(
    deps,
    rows,
    ({ registration, event }) => registration.status === 'confirmed' && event.status !== 'cancelled',
  )
  if (!abouts) return null
  const { first, all, told } = abouts
  const { event, club } = first
  const { baseUrl } = deps.settings
  const logo = club.logo === '' ? null : await readImage(deps, { kind: 'club-logo', file: club.logo }).catch(() => null)
  const isOne = all.length === 1
  const subject = `${isOne ? 'Your ticket' : `Your ${all.length} tickets`}: ${event.name}`
  const parts: MailPart[] = [
    { title: event.name },
    { text: `Hello ${first.registration.name},` },
    { text: isOne ? 'You are registered. This is your ticket.' : 'You are registered. These are your tickets.' },
    { lines: factsOf(event), ...mapLink(event) },
    { text: 'Show this code at the door, on paper or on your phone:' },
    ...all.flatMap((about) => ticketParts(about, isOne, baseUrl)),
  ]
  const page = mailPage(subject, parts, { ...frameOf(club), ...(logo && { picture: 'logo' }) })
  const attachments = await attachmentsFor(deps, all, logo)
  return { words: addressed(first, { ...page, attachments }), told }
}

function ticketParts(
  { row, registration, event, club, purchases, receipt }: About,
  isOne: boolean,
  baseUrl: string,
): MailPart[] {
  const url = ticketUrl(baseUrl, registration)
  return [
    {
      code: shortCode(registration),
      note: registration.name,
      picture: {
        cid: isOne ? 'qr' : `qr-${registration.id}`,
        alt: isOne ? 'The QR code of your ticket' : `The QR code of the ticket of ${registration.name}`,
        size: 240,
      },
      // Only this mail contains the link: whoever opens it reads mail at this address.
      button: {
        words: isOne ? 'Open your ticket' : `Open the ticket of ${registration.name}`,
        url: `${url}#mail=${row.messageId}`,
      },
    },
    ...purchases.map((voucher) => voucherPart(voucher, numbered(voucher, purchases))),
    ...(receipt
      ? [{ receipt: receiptTable(receipt, event.timeZone), texts: receiptTexts(receipt, event.timeZone) }]
      : []),
    canReturnTicket(registration)
      ? { link: 'You cannot come? Give your place back', url: `${url}#give-back` }
      : {
          text: `You cannot come? This ticket is paid: please write to ${club.name}${club.email && ` (${club.email})`}.`,
        },
  ]
}

function voucherPart(voucher: ExtrasPurchase, title: string): MailPart {
  const holds = voucher.content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  return {
    code: voucherCode(voucher),
    title: `Voucher: ${title}`,
    note: `Good for ${holds}`,
    picture: { cid: `voucher-${voucher.id}`, alt: `The QR code of the voucher ${title}`, size: 180 },
  }
}

async function attachmentsFor(deps: Deps, abouts: readonly About[], logo: Buffer | null): Promise<Attachment[]> {
  const isOne = abouts.length === 1
  const { baseUrl } = deps.settings
  const pictures = abouts.flatMap(({ registration, purchases }) => [
    {
      name: isOne ? 'ticket' : `ticket-${registration.id}`,
      cid: isOne ? 'qr' : `qr-${registration.id}`,
      url: ticketUrl(baseUrl, registration),
    },
    ...purchases.map((voucher) => ({
      name: `voucher-${voucher.id}`,
      cid: `voucher-${voucher.id}`,
      url: voucherUrl(baseUrl, voucher),
    })),
  ])
  return [
    {
      filename: isOne ? 'ticket.pdf' : 'tickets.pdf',
      content: await pdfForMail(abouts, baseUrl),
      contentType: 'application/pdf',
    },
    await calendarAttachment(deps, abouts),
    ...(await Promise.all(
      pictures.map(async ({ name, cid, url }) => ({
        filename: `${name}.png`,
        content: await makePicture(url),
        contentType: 'image/png',
        cid,
      })),
    )),
    ...(logo ? [{ filename: 'logo.png', content: logo, contentType: 'image/png', cid: 'logo' }] : []),
  ]
}
