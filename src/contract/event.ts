import * as z from 'zod/mini'
import { currentLanguage } from '../texts/language.ts'
import { api } from './endpoint.ts'
import type { RefusalCode } from './errors.ts'
import { defaultPhoneField, phoneField } from './phone-field.ts'
import { amount, day, id, idText, moment, version } from './values/fields.ts'

/** A text of a club in another language: `of` is the text in its main one. */
export const translatedText = z.object({ of: z.string(), text: z.string() })

export const eventStatus = z.enum(['draft', 'published', 'cancelled'])

/** Whether an event has codes, and whether some of its tickets need one. */
const codesOfEvent = z.enum(['none', 'prices', 'tickets'])
export type CodesOfEvent = z.output<typeof codesOfEvent>

export const event = z.object({
  id,
  clubId: id,
  name: z.string(),
  /** Markdown. */
  description: z.string(),
  /** The description as HTML, made by the server: safe to show as it is. Empty in lists and where the event comes with a ticket. */
  descriptionHtml: z.string(),
  location: z.string(),
  startsAt: moment,
  endsAt: moment,
  /** IANA name of the zone in which its times are shown. */
  timeZone: z.string(),
  /** Capacity in seats; null for no limit. */
  maxAttendees: z.nullable(z.int()),
  /** How many places one e-mail address may have. */
  maxPerEmail: z.int(),
  /** Seats taken: confirmed and live holds. */
  registrationCount: z.int(),
  /** Seats that phones at the door keep for people without a ticket: nobody else gets them. */
  walkInPlaces: z._default(z.int(), 0),
  /** Minor unit; 0 is free. With several ticket types the lowest price; it is then changed with `saveTicketTypes`. */
  ticketPrice: amount,
  /** The highest price of its ticket types; `ticketPrice` is the lowest. Left out only in answers kept from before there were several. */
  ticketPriceTo: z._default(amount, 0),
  /** From when and until when its ticket types are sold, but for those sold out, unless all are; null for as long as registration is open. */
  ticketsOpenAt: z._default(z.nullable(moment), null),
  ticketsCloseAt: z._default(z.nullable(moment), null),
  /** Whether each of its ticket types is sold out, whatever places are left. */
  ticketsGone: z._default(z.boolean(), false),
  /** Whether a code can be used, and whether there are tickets that need one. Prices and times of sale above leave these out. */
  codes: z._default(codesOfEvent, 'none'),
  currency: z.string(),
  /** File name of the banner; empty for the default image. */
  banner: z.string(),
  /** The banner's width divided by its height; null without a banner, and for banners from before this was kept. */
  bannerRatio: z._default(z.nullable(z.number()), null),
  registrationOpensAt: z.nullable(moment),
  registrationClosesAt: z.nullable(moment),
  /** Until when the ticket holder may correct name, phone and answers; null: until the start. */
  correctionsUntil: z.nullable(moment),
  /** Whether ticket holders may hand their tickets on to somebody else, for as long as they may correct them. */
  allowsHandOn: z._default(z.boolean(), true),
  /** Whether the door scans people out too, so that it counts who is inside and lets them in again. */
  allowsReentry: z._default(z.boolean(), false),
  /** Whether the form asks for a phone number. Left out only in answers kept from before this setting. */
  phoneField: z._default(phoneField, defaultPhoneField),
  /** Calling code of the country that uses its time zone, like `+44`; empty where no country does. */
  dialCode: z._default(z.string(), ''),
  status: eventStatus,
  /**
   * The event's texts in the language of whoever asks (`Accept-Language`), with the description as HTML only; null where the club has not
   * translated it. In lists only the name.
   */
  translation: z._default(z.nullable(z.object({ texts: z.array(translatedText), descriptionHtml: z.string() })), null),
  /** How many days after it personal data are deleted; 0: never; null: as the club has it. */
  keepDays: z._default(z.nullable(z.int()), null),
  createdAt: moment,
  version,
})
export type Event = z.output<typeof event>

/** The calls of visitors' pages, which load none of the others. */
export const visitorEventApi = api({
  getAllActiveEvents: {
    method: 'GET',
    path: '/api/event/getAllActiveEvents',
    access: { who: 'visitor' },
    summary: 'Published events that have not ended by that date, soonest first.',
    input: z.strictObject({ clubId: idText, currentDate: day }),
    payload: z.array(event),
  },
  getNextEvents: {
    method: 'GET',
    path: '/api/event/getNextEvents',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary:
      'Up to three of a club’s events that take registrations now or later, soonest first, without the one given.',
    input: z.strictObject({ clubId: idText, eventId: idText }),
    payload: z.array(event),
  },
  getEventByEventIdnClubId: {
    method: 'GET',
    path: '/api/event/getEventByEventIdnClubId',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: 'One event of this club; 404 when the two do not belong together. Staff may leave their own club out.',
    input: z.strictObject({ eventId: idText, clubId: z.optional(idText) }),
    payload: event,
  },
})

/** Also the path of the call for it. */
export const CALENDAR_FILE = '/api/event/getCalendarFile'

/** The address of an event's calendar file in the language of the page, for a link; or of a reminder of when its registration opens. */
export function calendarFileUrl({ id }: Pick<Event, 'id'>, of: 'event' | 'opening' = 'event'): string {
  // A link sends no header of ours.
  return `${CALENDAR_FILE}?eventId=${id}&of=${of}&lang=${currentLanguage()}`
}

type Openness = Pick<Event, 'status' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt'>

/** Why nobody can register now (whether or not a seat is left), or null when registration is open. */
export function refusalToRegister(event: Openness, now: Date): RefusalCode | null {
  if (event.status === 'draft') return 'NOT_FOUND'
  if (event.status === 'cancelled') return 'EVENT_CANCELLED'
  if (now >= event.endsAt) return 'EVENT_OVER'
  if (event.registrationOpensAt && now < event.registrationOpensAt) return 'REGISTRATION_NOT_OPEN'
  if (event.registrationClosesAt && now >= event.registrationClosesAt) return 'REGISTRATION_CLOSED'
  return null
}

/** When somebody can register at the earliest; null for no such time. */
export function opensAt({
  registrationOpensAt,
  ticketsOpenAt,
}: Pick<Event, 'registrationOpensAt' | 'ticketsOpenAt'>): Date | null {
  return (ticketsOpenAt ?? 0) > (registrationOpensAt ?? 0) ? ticketsOpenAt : registrationOpensAt
}

/** Until when the ticket holder may correct what they filled in. */
export function correctionsEnd({ correctionsUntil, startsAt }: Pick<Event, 'correctionsUntil' | 'startsAt'>): Date {
  return correctionsUntil ?? startsAt
}

/** Address of a map search for the location. */
export function mapUrl(location: string): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(location)}`
}

/** How many seats are left; null when there is no limit. */
export function seatsLeft({
  maxAttendees,
  registrationCount,
  walkInPlaces,
}: Pick<Event, 'maxAttendees' | 'registrationCount' | 'walkInPlaces'>) {
  return maxAttendees === null ? null : Math.max(0, maxAttendees - registrationCount - walkInPlaces)
}
