import { type ExtrasPurchase, numbered } from '../../contract/extras.ts'
import { orderUrl } from '../../contract/order.ts'
import { joinedReceipt, type Receipt, receiptTable, receiptTexts } from '../../contract/receipts.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Together } from '../mail/composed.ts'
import { mailPage } from '../mail/layout.ts'
import type { MailPart } from '../mail/mail-parts.ts'
import type { Attachment } from '../mail/mailer.ts'
import { filesForMail } from '../tickets/maker.ts'
import { calendarAttachment } from './calendar-of.ts'
import {
  type About,
  addressed,
  factLinks,
  factsOf,
  findAllAbout,
  findOrderKeys,
  frameOf,
  mailLanguage,
  previewOf,
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
  const { frame, pictures } = await frameOf(deps, club)
  const page = inLanguage(mailLanguage(first), () => {
    const count = all.length
    const joined = joinedReceipt(
      all.map(({ receipt }) => receipt),
      event.timeZone,
    )
    const look = { baseUrl, isOne: count === 1, hasOrder: orders.length > 0, hasReceipts: joined === null }
    const parts: MailPart[] = [
      { title: event.name },
      { greeting: texts.hello(first.registration) },
      { text: texts.registered({ count }) },
      { lines: factsOf(event), ...factLinks(baseUrl, first) },
      { text: count === 1 ? texts.showCode() : texts.showCodes() },
      ...orders.map((order) => ({
        button: texts.openOrder(),
        url: `${orderUrl(baseUrl, order)}#mail=${order.messageId}`,
      })),
      ...all.flatMap((about) => ticketParts(about, look)),
      ...(joined ? [receiptPart(joined, event)] : []),
      ...cannotComeParts(all, baseUrl),
    ]
    return mailPage(texts.ticketSubject({ count, event: event.name }), parts, frame, previewOf(event))
  })
  const attachments = [...(await attachmentsFor(deps, all)), ...pictures]
  return { words: addressed(first, { ...page, attachments }), told }
}

interface Look {
  baseUrl: string
  isOne: boolean
  /** Whether the mail has a button for all tickets of an order: each of them has a link then. */
  hasOrder: boolean
  /** Whether each ticket has its receipt, rather than one for all. */
  hasReceipts: boolean
}

function ticketParts(
  { row, registration, event, typeName, purchases, receipt }: About,
  { baseUrl, isOne, hasOrder, hasReceipts }: Look,
): MailPart[] {
  const url = ticketUrl(baseUrl, registration)
  const open = {
    words: isOne ? texts.openTicket() : texts.openTicketOf(registration),
    // Only the mail to this address contains this link: whoever opens it reads mail there.
    url: row.registrationId === registration.id ? `${url}#mail=${row.messageId}` : url,
  }
  return [
    {
      code: shortCode(registration),
      note: typeName === null ? registration.name : `${registration.name} · ${typeName}`,
      picture: {
        cid: isOne ? 'qr' : `qr-${registration.id}`,
        alt: isOne ? texts.ticketCode() : texts.ticketCodeOf(registration),
        size: 240,
      },
      ...(hasOrder ? { link: open } : { button: open }),
    },
    ...(receipt && hasReceipts ? [receiptPart(receipt, event)] : []),
    ...(registration.handedOnAt === null ? [] : [{ text: texts.handedOnToYou() }]),
    ...purchases.map((voucher) => voucherPart(voucher, numbered(voucher, purchases), isOne ? '' : registration.name)),
  ]
}

function receiptPart(receipt: Receipt, { timeZone }: About['event']): MailPart {
  return { receipt: receiptTable(receipt, timeZone), texts: receiptTexts(receipt, timeZone) }
}

/** What to do with a place that is not needed: once for all tickets, however many there are. */
function cannotComeParts(all: readonly About[], baseUrl: string): MailPart[] {
  const [first] = all
  if (!first) return []
  const { name: club, email } = first.club
  const count = all.length
  const back = all.filter(({ registration }) => canReturnTicket(registration)).length
  const paid = email === '' ? texts.paidGiveBackClub({ count, club }) : texts.paidGiveBack({ count, club, email })
  return [
    ...(back === 0
      ? []
      : count === 1
        ? [{ link: texts.giveBack(), url: `${ticketUrl(baseUrl, first.registration)}#give-back` }]
        : [{ text: texts.cannotComeNow({ count }) }]),
    ...(back === count ? [] : [{ text: paid, ...(email !== '' && { address: email }) }]),
  ]
}

/** A voucher's code; with whose it is, where the mail has tickets of several people. */
function voucherPart(voucher: ExtrasPurchase, title: string, holder: string): MailPart {
  const holds = voucher.content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  const goodFor = texts.goodFor({ units: holds })
  return {
    code: voucherCode(voucher),
    title: texts.voucher({ name: title }),
    note: holder === '' ? goodFor : `${holder} · ${goodFor}`,
    picture: { cid: `voucher-${voucher.id}`, alt: texts.voucherCode({ name: title }), size: 180 },
  }
}

async function attachmentsFor(deps: Deps, abouts: readonly About[]): Promise<Attachment[]> {
  const isOne = abouts.length === 1
  const { baseUrl } = deps.settings
  const codes = abouts.flatMap(({ registration, purchases }) => [
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
  const urls = codes.map(({ url }) => url)
  const [files, calendar] = await Promise.all([
    filesForMail(abouts, urls, baseUrl),
    // At once, so that the mails of a round are looked up together; they are drawn one after the other.
    calendarAttachment(deps, abouts),
  ])
  return [
    { filename: isOne ? 'ticket.pdf' : 'tickets.pdf', content: files.pdf, contentType: 'application/pdf' },
    calendar,
    ...codes.map(({ name, cid }, at) => {
      const content = files.pictures[at]
      if (!content) throw new Error('A code has no picture.')
      return { filename: `${name}.png`, content, contentType: 'image/png', cid }
    }),
  ]
}
