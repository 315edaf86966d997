import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import type { FieldError, RefusalCode } from './errors.ts'
import { defaultPhoneField, phoneField } from './phone-field.ts'
import {
  amount,
  currency,
  day,
  id,
  idText,
  line,
  moment,
  paragraph,
  requiredLine,
  timeZone,
  version,
} from './values/fields.ts'
import { formatPrice, leastPayable, validateAmount } from './values/money.ts'

export const eventStatus = z.enum(['draft', 'published', 'cancelled'])

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
  /** Minor unit; 0 is free. */
  ticketPrice: amount,
  currency: z.string(),
  /** File name of the banner; empty for the default image. */
  banner: z.string(),
  /** The banner's width divided by its height; null without a banner, and for banners from before this was kept. */
  bannerRatio: z._default(z.nullable(z.number()), null),
  registrationOpensAt: z.nullable(moment),
  registrationClosesAt: z.nullable(moment),
  /** Until when the ticket holder may correct name, phone and answers; null: until the start. */
  correctionsUntil: z.nullable(moment),
  /** Whether the form asks for a phone number. Left out only in answers kept from before this setting. */
  phoneField: z._default(phoneField, defaultPhoneField),
  status: eventStatus,
  createdAt: moment,
  version,
})
export type Event = z.output<typeof event>

/** The fields a person fills in for an event. */
export const eventFields = z.strictObject({
  name: requiredLine(160, 'Enter the name of the event.'),
  description: paragraph(20_000),
  location: line(300),
  startsAt: moment,
  endsAt: moment,
  timeZone,
  maxAttendees: z.nullable(
    z.int('Enter a whole number.').check(z.positive('Enter 1 or more, or leave it empty.'), z.maximum(1_000_000)),
  ),
  maxPerEmail: z
    .int('Enter a whole number.')
    .check(z.minimum(1, 'Enter 1 or more.'), z.maximum(1000, 'Enter 1,000 or less.')),
  ticketPrice: amount,
  currency,
  registrationOpensAt: z.nullable(moment),
  registrationClosesAt: z.nullable(moment),
  correctionsUntil: z.nullable(moment),
  status: eventStatus,
})
export type EventFields = z.output<typeof eventFields>

/** Defaults for a new event. Time zone and currency default to its club's. */
export const newEvent = {
  description: '',
  location: '',
  maxAttendees: null,
  maxPerEmail: 10,
  ticketPrice: 0,
  registrationOpensAt: null,
  registrationClosesAt: null,
  correctionsUntil: null,
  phoneField: defaultPhoneField,
} as const satisfies Partial<EventFields> & Partial<Event>

type Times = Pick<
  EventFields,
  'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'correctionsUntil'
>

/** Which of an event's times contradict each other. */
export function validateTimes({
  startsAt,
  endsAt,
  registrationOpensAt: opens,
  registrationClosesAt: closes,
  correctionsUntil,
}: Times) {
  const wrong: FieldError[] = []
  if (endsAt <= startsAt) wrong.push({ path: 'endsAt', msg: 'The end must be after the start.' })
  if (opens && closes && closes <= opens)
    wrong.push({ path: 'registrationClosesAt', msg: 'Registration must close after it opens.' })
  if (correctionsUntil && correctionsUntil > endsAt)
    wrong.push({ path: 'correctionsUntil', msg: 'Corrections must end before the event does.' })
  return wrong
}

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
  getEventByEventIdnClubId: {
    method: 'GET',
    path: '/api/event/getEventByEventIdnClubId',
    access: { who: 'visitor' },
    summary: 'One event of this club; 404 when the two do not belong together. Staff may leave their own club out.',
    input: z.strictObject({ eventId: idText, clubId: z.optional(idText) }),
    payload: event,
  },
})

const CALENDAR_FILE = '/api/event/getCalendarFile'

/** The address of an event's calendar file, for a link; or of a reminder of when its registration opens. */
export function calendarFileUrl({ id }: Pick<Event, 'id'>, of: 'event' | 'opening' = 'event'): string {
  return `${CALENDAR_FILE}?eventId=${id}&of=${of}`
}

export const eventApi = api({
  ...visitorEventApi,
  getCalendarFile: {
    method: 'GET',
    path: CALENDAR_FILE,
    access: { who: 'visitor' },
    file: 'text/calendar; charset=utf-8',
    summary: 'The event for a calendar program; or with `of=opening` a reminder of when its registration opens.',
    input: z.strictObject({ eventId: idText, of: z._default(z.enum(['event', 'opening']), 'event') }),
    payload: z.null(),
  },
  getAllEvents: {
    method: 'GET',
    path: '/api/event/getAllEvents',
    access: { who: 'admin', club: 'clubId' },
    summary: "All of a club's events, newest first.",
    input: z.strictObject({ clubId: idText }),
    payload: z.array(event),
  },
  getEvent: {
    method: 'GET',
    path: '/api/event/getEvent',
    access: { who: 'visitor' },
    summary: 'One event; a draft only for staff of its club.',
    input: z.strictObject({ eventId: idText }),
    payload: event,
  },
  save: {
    method: 'POST',
    path: '/api/event/save',
    access: { who: 'admin', event: 'id', add: true },
    upload: { file: 'banner' },
    summary: 'Add an event to the own club, or edit one. Its attendees are told by mail when it is cancelled.',
    /** An event added without `status` is published where it can be. On an edit a field left out stays as it is; with `version` it is refused when somebody saved in between. */
    input: z.strictObject({
      id: z.optional(id),
      clubId: z.optional(id),
      ...z.partial(eventFields).shape,
      /** Whether its form asks for a phone number. */
      phoneField: z.optional(phoneField),
      removeBanner: z.optional(z.boolean()),
      version: z.optional(version),
      /** Mails all ticket holders if the time or place has changed. */
      tellAttendees: z.optional(z.boolean()),
    }),
    payload: event,
    sentBack: { '': event },
  },
  copy: {
    method: 'POST',
    path: '/api/event/copy',
    access: { who: 'admin', event: 'payload.eventId' },
    summary: 'Copy an event with its form, vouchers and banner, as a draft that starts at another time.',
    input: z.strictObject({ payload: z.strictObject({ eventId: id, startsAt: moment }) }),
    payload: event,
  },
  getPoster: {
    method: 'GET',
    path: '/api/event/getPoster',
    access: { who: 'admin', event: 'eventId' },
    file: 'application/pdf',
    summary: 'A poster of a published event with the code of its page, as PDF.',
    input: z.strictObject({ eventId: idText, size: z._default(z.enum(['A4', 'A3']), 'A4') }),
    payload: z.null(),
  },
  removeEvent: {
    method: 'GET',
    path: '/api/event/removeEvent',
    access: { who: 'admin', event: 'eventId' },
    changes: true,
    summary: 'Remove an event with its registrations; refused while some of them are paid.',
    input: z.strictObject({ eventId: idText }),
    payload: event,
  },
})

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

/** Until when the ticket holder may correct what they filled in. */
export function correctionsEnd({ correctionsUntil, startsAt }: Pick<Event, 'correctionsUntil' | 'startsAt'>): Date {
  return correctionsUntil ?? startsAt
}

/** The error in a price, in the minor unit; null when it is valid. Stripe enforces a smallest charge. */
export function validatePrice(price: number, currency: string): string | null {
  const wrong = validateAmount(price, currency)
  if (wrong !== null) return wrong
  const least = leastPayable(currency)
  return price > 0 && price < least ? `Enter 0 or at least ${formatPrice(least, currency)}: cards take no less.` : null
}

type TimeAndPlace = Pick<EventFields, 'startsAt' | 'endsAt' | 'timeZone' | 'location'>

/** Whether attendees have to be told: the time or place of the event has changed. */
export function isMoved(before: TimeAndPlace, after: TimeAndPlace): boolean {
  const isSameTime =
    before.startsAt.getTime() === after.startsAt.getTime() && before.endsAt.getTime() === after.endsAt.getTime()
  return !isSameTime || before.timeZone !== after.timeZone || before.location !== after.location
}

/** Address of a map search for the location. */
export function mapUrl(location: string): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(location)}`
}

/** How many seats are left; null when there is no limit. */
export function seatsLeft({ maxAttendees, registrationCount }: Pick<Event, 'maxAttendees' | 'registrationCount'>) {
  return maxAttendees === null ? null : Math.max(0, maxAttendees - registrationCount)
}
