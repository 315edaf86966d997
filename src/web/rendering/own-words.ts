import type { Club } from '../../contract/club.ts'
import type { Event } from '../../contract/event.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import { linesIn, type Say, sayIn, voucherIn as sayVoucher } from '../../contract/own-words.ts'
import type { TicketType, TypeOfTicket } from '../../contract/ticket-type.ts'
import { currentLanguage } from '../../texts/language.ts'
import type { ShownQuestion } from '../forms/QuestionField.tsx'
import type { Ticket } from '../registrations/ticket/ticket.ts'
import type { PageData } from './page-data.ts'

type ShownVoucher = Extract<PageData, { page: 'voucher' }>['voucher']

const sayOf = ({ translation }: Event): Say => sayIn(translation?.texts)

/** An event with its words in the language of the page, where the club has translated them. */
function eventIn(event: Event): Event {
  const { translation } = event
  if (!translation) return event
  return {
    ...event,
    name: sayOf(event)(event.name),
    descriptionHtml: translation.descriptionHtml || event.descriptionHtml,
  }
}

/** The language of a text of the club, where it is not that of the page. */
const untranslated = ({ language }: Club, isTranslated = false) =>
  isTranslated || language === currentLanguage() ? undefined : language

/** The languages of an event's name and description as `eventIn` gives them, where they are not that of the page. */
export function languagesOfEvent({ name, translation }: Event, club: Club) {
  return {
    name: untranslated(
      club,
      translation?.texts.some(({ text }) => text === name),
    ),
    description: untranslated(club, translation !== null && translation.descriptionHtml !== ''),
  }
}

/** The language of a club's description as `clubIn` gives it, where it is not that of the page. */
export const languageOfDescription = (club: Club) =>
  untranslated(
    club,
    club.descriptions.some(({ language }) => language === currentLanguage()),
  )

/** The questions of an event, too. */
export function questionsIn(
  { translation }: Event,
  club: Club,
  questions: readonly FormQuestion[],
): readonly ShownQuestion[] {
  const say = sayIn(translation?.texts)
  const own = new Set(translation?.texts.map(({ of }) => of))
  const shown = (text: string) => ({ text: say(text), lang: untranslated(club, own.has(text)) })
  return questions.map((question) => ({ ...question, ...shown(question.text), labels: question.options.map(shown) }))
}

/** A ticket type, too. */
function ticketTypeIn(type: TicketType, say: Say): TicketType {
  return { ...type, name: say(type.name), description: say(type.description) }
}

/** A ticket, too. */
export function ticketIn(ticket: Ticket): Ticket {
  const { event, ticketType, extras, receipt } = ticket
  if (!event.translation) return ticket
  const say = sayOf(event)
  return {
    ...ticket,
    event: eventIn(event),
    ticketType: ticketType && { ...ticketType, name: say(ticketType.name) },
    extras: extras.map((voucher) => sayVoucher(voucher, say)),
    receipt: receipt && { ...receipt, lines: linesIn(receipt.lines, say) },
  }
}

/** A voucher on its page, too. */
export function voucherIn(shown: ShownVoucher): ShownVoucher {
  const say = sayOf(shown.event)
  return { ...shown, event: eventIn(shown.event), extrasPurchase: sayVoucher(shown.extrasPurchase, say) }
}

/** A club with its description in the language of the page. */
function clubIn(club: Club): Club {
  return {
    ...club,
    description: club.descriptions.find(({ language }) => language === currentLanguage())?.text || club.description,
  }
}

/** All that a page shows, in the club's words in the language of the page. */
export function inOwnWords(data: PageData): PageData {
  switch (data.page) {
    case 'event': {
      const { event, questions, extras, ticketTypes, others, club } = data
      const say = sayOf(event)
      return {
        ...data,
        club: clubIn(club),
        event: eventIn(event),
        questions: questionsIn(event, club, questions),
        extras: event.translation ? extras.map((voucher) => sayVoucher(voucher, say)) : extras,
        ticketTypes: ticketTypes.map((type) => ticketTypeIn(type, say)),
        others: others.map(eventIn),
      }
    }
    case 'club':
      return { ...data, club: clubIn(data.club), events: data.events.map(eventIn) }
    case 'ticket':
    case 'registered':
      return { ...data, ticket: ticketIn(data.ticket) }
    case 'voucher':
      return { ...data, voucher: voucherIn(data.voucher) }
    case 'order': {
      const { event, tickets } = data
      const typeIn = (type: TypeOfTicket | null) => type && { ...type, name: sayOf(event)(type.name) }
      return {
        ...data,
        event: eventIn(event),
        tickets: tickets.map((ticket) => ({
          ...ticket,
          ticketType: typeIn(ticket.ticketType),
          lines: linesIn(ticket.lines, sayOf(event)),
        })),
      }
    }
    default:
      return data
  }
}
