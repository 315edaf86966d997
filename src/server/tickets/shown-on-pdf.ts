import { type ExtrasPurchase, numbered } from '../../contract/extras.ts'
import { type Receipt, type ReceiptTable, receiptTable } from '../../contract/receipts.ts'
import { type PaperColours, paperColours } from '../../contract/values/colours.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { languageFor } from '../../contract/values/languages.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/values/ticket-codes.ts'
import * as mailTexts from '../../texts/generated/mails.ts'
import * as texts from '../../texts/generated/pdf.ts'
import { inLanguage } from '../../texts/language.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../db/schema.ts'

export interface TicketFacts {
  registration: RegistrationRow
  event: EventRow
  club: ClubRow
  /** The name of its ticket type; null where the event has only one. */
  typeName: string | null
  /** The vouchers bought with it. */
  purchases: readonly ExtrasPurchase[]
  receipt: Receipt | null
}

/** What the PDF shows of a ticket, and nothing else, as text: two tickets with equal data have the same PDF. */
export interface ShownTicket {
  /** The address in the QR code. */
  url: string
  code: string
  name: string
  club: string
  event: string
  colours: PaperColours
  /** The ticket type; empty where the event has only one. */
  type: string
  when: string
  place: string
  /** The text below the QR code. */
  note: string
  /** The payment; null for a free ticket. */
  paid: ReceiptTable | null
  answers: string[]
  /** How to reach the club. */
  contact: string
  vouchers: ShownVoucher[]
}

export interface ShownVoucher {
  /** The address in the QR code. */
  url: string
  code: string
  title: string
  /** What it holds. */
  units: string
}

/** The texts are formatted already: in the thread that draws, several tickets are drawn at once, each in its own language. */
export interface ShownOnPdf {
  language: string
  title: string
  createdAt: Date
  tickets: ShownTicket[]
}

/** What the PDF of these tickets shows, in the language of the first one's holder. */
export function shownOf(tickets: readonly TicketFacts[], baseUrl: string): ShownOnPdf {
  const [first] = tickets
  if (!first) throw new Error('A PDF needs a ticket.')
  const language = languageFor(first.registration.language, first.club)
  return inLanguage(language, () => ({
    language,
    title: texts.title({ count: tickets.length, event: first.event.name }),
    createdAt: first.registration.registrationTime,
    tickets: tickets.map((ticket) => shownTicket(ticket, baseUrl)),
  }))
}

/** `Good for 3 × Drink`; empty for a voucher that is redeemed as a whole. */
function unitsText({ content }: ExtrasPurchase): string {
  const units = content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  return units === '' ? '' : mailTexts.goodFor({ units })
}

function shownTicket(
  { registration, event, club, typeName, purchases, receipt }: TicketFacts,
  baseUrl: string,
): ShownTicket {
  return {
    url: ticketUrl(baseUrl, registration),
    code: shortCode(registration),
    name: registration.name,
    club: club.name,
    event: event.name,
    colours: paperColours(club.colour),
    type: typeName ?? '',
    when: formatSpan(event.startsAt, event.endsAt, event.timeZone),
    place: event.location,
    note: event.allowsReentry ? texts.showThisCodeAgain() : texts.showThisCode(),
    paid: receipt && receiptTable(receipt, event.timeZone),
    answers: registration.others.map(({ question, answer }) =>
      // A question mark needs no colon after it.
      (/[?!:.…？]$/.test(question) ? texts.answerAfterMark : texts.answer)({
        question,
        answer: Array.isArray(answer) ? answer.join(', ') : answer,
      }),
    ),
    contact: [club.name, club.location, club.email, club.website].filter((part) => part !== '').join(' · '),
    vouchers: purchases.map((voucher) => ({
      url: voucherUrl(baseUrl, voucher),
      code: voucherCode(voucher),
      title: texts.voucher({ name: numbered(voucher, purchases) }),
      units: unitsText(voucher),
    })),
  }
}
