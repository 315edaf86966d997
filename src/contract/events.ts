import * as z from 'zod/mini'
import * as texts from '../texts/generated/eventInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import type { Message } from '../texts/language.ts'
import { api } from './endpoint.ts'
import type { FieldError } from './errors.ts'
import { CALENDAR_FILE, type Event, event, eventStatus, visitorEventApi } from './event.ts'
import { defaultPhoneField, phoneField } from './phone-field.ts'
import { currency, timeZone } from './values/account-fields.ts'
import { amount, id, idText, line, moment, paragraph, requiredLine, version } from './values/fields.ts'
import { keepDays } from './values/keep-days.ts'
import { formatPrice, leastPayable, validateAmount } from './values/money.ts'

/** The fields a person fills in for an event. */
export const eventFields = z.strictObject({
  name: requiredLine(160, texts.nameNeeded),
  description: paragraph(20_000),
  location: line(300),
  startsAt: moment,
  endsAt: moment,
  timeZone,
  maxAttendees: z.nullable(
    z
      .int({ error: fieldTexts.wholeNumber })
      .check(z.positive({ error: fieldTexts.oneOrMoreOrEmpty }), z.maximum(1_000_000)),
  ),
  maxPerEmail: z
    .int({ error: fieldTexts.wholeNumber })
    .check(z.minimum(1, { error: fieldTexts.oneOrMore }), z.maximum(1000, { error: texts.atMost1000 })),
  ticketPrice: amount,
  currency,
  registrationOpensAt: z.nullable(moment),
  registrationClosesAt: z.nullable(moment),
  correctionsUntil: z.nullable(moment),
  /** Whether ticket holders may hand their tickets on to somebody else. */
  allowsHandOn: z.boolean(),
  allowsReentry: z.boolean(),
  keepDays: z.nullable(keepDays),
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
  allowsHandOn: true,
  allowsReentry: false,
  keepDays: null,
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
  if (endsAt <= startsAt) wrong.push({ path: 'endsAt', msg: texts.endBeforeStart })
  if (opens && closes && closes <= opens) wrong.push({ path: 'registrationClosesAt', msg: texts.closesBeforeOpening })
  if (correctionsUntil && correctionsUntil > endsAt)
    wrong.push({ path: 'correctionsUntil', msg: texts.correctionsAfterEnd })
  return wrong
}

export const eventApi = api({
  ...visitorEventApi,
  getCalendarFile: {
    method: 'GET',
    path: CALENDAR_FILE,
    access: { who: 'visitor' },
    file: 'text/calendar; charset=utf-8',
    summary: 'The event for a calendar program; or with `of=opening` a reminder of when its registration opens.',
    input: z.strictObject({
      eventId: idText,
      of: z._default(z.enum(['event', 'opening']), 'event'),
      /** The language of its words; one that the club does not offer is replaced by its main one. */
      lang: z._default(line(20), ''),
    }),
    payload: z.null(),
  },
  getAllEvents: {
    method: 'GET',
    path: '/api/event/getAllEvents',
    access: { who: 'admin', club: 'clubId', needs: 'member' },
    summary: "All of a club's events, newest first.",
    input: z.strictObject({ clubId: idText }),
    payload: z.array(event),
  },
  getEvent: {
    method: 'GET',
    path: '/api/event/getEvent',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: 'One event; a draft only for staff of its club.',
    input: z.strictObject({ eventId: idText }),
    payload: event,
  },
  save: {
    method: 'POST',
    path: '/api/event/save',
    access: { who: 'admin', event: 'id', needs: 'events', add: true },
    refuses: ['PAYMENTS_OFF', 'EDIT_CONFLICT', 'ILLEGAL_TRANSITION', 'CAPACITY_BELOW_TAKEN'],
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
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    summary: 'Copy an event with its form, vouchers and banner, as a draft that starts at another time.',
    input: z.strictObject({ payload: z.strictObject({ eventId: id, startsAt: moment }) }),
    payload: event,
  },
  getPoster: {
    method: 'GET',
    path: '/api/event/getPoster',
    access: { who: 'admin', event: 'eventId', needs: 'member' },
    file: 'application/pdf',
    summary: 'A poster of a published event with the code of its page, as PDF.',
    input: z.strictObject({ eventId: idText, size: z._default(z.enum(['A4', 'A3']), 'A4') }),
    payload: z.null(),
  },
  removeEvent: {
    method: 'GET',
    path: '/api/event/removeEvent',
    access: { who: 'admin', event: 'eventId', needs: 'events' },
    refuses: ['HAS_PAID'],
    changes: true,
    summary: 'Remove an event with its registrations; refused while some of them are paid.',
    input: z.strictObject({ eventId: idText }),
    payload: event,
  },
})

/** The error in a price, in the minor unit; null when it is valid. Stripe enforces a smallest charge. */
export function validatePrice(price: number, currency: string): Message | null {
  const wrong = validateAmount(price, currency)
  if (wrong !== null) return wrong
  const least = leastPayable(currency)
  return price > 0 && price < least ? () => texts.leastPrice({ least: formatPrice(least, currency) }) : null
}

type TimeAndPlace = Pick<EventFields, 'startsAt' | 'endsAt' | 'timeZone' | 'location'>

/** Whether attendees have to be told: the time or place of the event has changed. */
export function isMoved(before: TimeAndPlace, after: TimeAndPlace): boolean {
  const isSameTime =
    before.startsAt.getTime() === after.startsAt.getTime() && before.endsAt.getTime() === after.endsAt.getTime()
  return !isSameTime || before.timeZone !== after.timeZone || before.location !== after.location
}
