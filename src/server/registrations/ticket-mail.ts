import { type ExtrasPurchase, numbered } from '../../contract/extras.ts'
import { orderUrl } from '../../contract/order.ts'
import { receiptTable, receiptTexts } from '../../contract/receipts.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { readImage } from '../images/read-image.ts'
import type { Together } from '../mail/composed.ts'
import { type MailPart, mailPage } from '../mail/layout.ts'
import type { Attachment } from '../mail/mailer.ts'
import { makePicture, pdfForMail } from '../tickets/maker.ts'
import { calendarAttachment } from './calendar-of.ts'
import {
  type About,
  addressed,
  factsOf,
  findAllAbout,
  findOrderKeys,
  frameOf,
  mailLanguage,
  mapLink,
  withOrders,
} from './mail-facts.ts'
import { canReturnTicket } from './return-ticket.ts'

/**
 * The mail with the tickets of an address for an event and of the orders that it is the contact of, as pictures, as PDF and for the calendar;
 * null when none of the registrations is confirmed any more.
 */
export async function ticketMail(deps: Deps, rows: readonly MailRow[]): Promise<Together> {
  const abouts = await findAllAbout(
    deps,
    rows,
    ({ registration, event }) => registration.status === 'confirmed' && event.status !== 'cancelled',
  )
  if (!abouts) return null
  const { first, told } = abouts
  const all = await withOrders(deps, abouts.all)
  const orders = await findOrderKeys(deps, abouts.all)
  const { event, club } = first
  const { baseUrl } = deps.settings
  const logo = club.logo === '' ? null : await readImage(deps, { kind: 'club-logo', file: club.logo }).catch(() => null)
  const page = inLanguage(mailLanguage(first), () => {
    const isOne = all.length === 1
    const count = all.length
    const subject = texts.ticketSubject({ count, event: event.name })
    const parts: MailPart[] = [
      { title: event.name },
      { text: texts.hello(first.registration) },
      { text: texts.registered({ count }) },
      { lines: factsOf(event), ...mapLink(event) },
      { text: isOne ? texts.showCode() : texts.showCodes() },
      ...orders.map((order) => ({
        button: texts.openOrder(),
        url: `${orderUrl(baseUrl, order)}#mail=${order.messageId}`,
      })),
      ...all.flatMap((about) => ticketParts(about, isOne, baseUrl)),
    ]
    return mailPage(subject, parts, { ...frameOf(club), ...(logo && { picture: 'logo' }) })
  })
  const attachments = await attachmentsFor(deps, all, logo)
  return { words: addressed(first, { ...page, attachments }), told }
}

function ticketParts(
  { row, registration, event, club, typeName, purchases, receipt }: About,
  isOne: boolean,
  baseUrl: string,
): MailPart[] {
  const url = ticketUrl(baseUrl, registration)
  return [
    {
      code: shortCode(registration),
      note: typeName === null ? registration.name : `${registration.name} · ${typeName}`,
      picture: {
        cid: isOne ? 'qr' : `qr-${registration.id}`,
        alt: isOne ? texts.ticketCode() : texts.ticketCodeOf(registration),
        size: 240,
      },
      // Only the mail to this address contains this link: whoever opens it reads mail there.
      button: {
        words: isOne ? texts.openTicket() : texts.openTicketOf(registration),
        url: row.registrationId === registration.id ? `${url}#mail=${row.messageId}` : url,
      },
    },
    ...(receipt
      ? [{ receipt: receiptTable(receipt, event.timeZone), texts: receiptTexts(receipt, event.timeZone) }]
      : []),
    ...(registration.handedOnAt === null ? [] : [{ text: texts.handedOnToYou() }]),
    ...purchases.map((voucher) => voucherPart(voucher, numbered(voucher, purchases))),
    canReturnTicket(registration) ? { link: texts.giveBack(), url: `${url}#give-back` } : { text: paidGiveBack(club) },
  ]
}

function paidGiveBack({ name, email }: About['club']): string {
  return email === '' ? texts.paidGiveBackClub({ club: name }) : texts.paidGiveBack({ club: name, email })
}

function voucherPart(voucher: ExtrasPurchase, title: string): MailPart {
  const holds = voucher.content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  return {
    code: voucherCode(voucher),
    title: texts.voucher({ name: title }),
    note: texts.goodFor({ units: holds }),
    picture: { cid: `voucher-${voucher.id}`, alt: texts.voucherCode({ name: title }), size: 180 },
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
