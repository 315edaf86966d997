import * as z from 'zod/mini'
import * as texts from '../texts/generated/attendeeInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { extrasPurchase } from './extras.ts'
import { paymentSummary, registration, registrationData, registrationStatus, ticketCheckin } from './registrations.ts'
import { typeOfTicket } from './ticket-type.ts'
import { booleanText, email, id, idsText, idText, line, moment, phone, requiredLine, version } from './values/fields.ts'

/** The fields staff fill in for an attendee: at the door there may be neither an e-mail address nor a phone number. */
export const staffRegistrationData = z.extend(registrationData, {
  name: requiredLine(120, fieldTexts.nameNeeded),
  email: z.union([email, z.literal('')], { error: fieldTexts.emailLike }),
  phone,
})

/** The vouchers that staff give out, by what is on sale; one that is named twice is given twice. */
export const givenVouchers = z._default(z.array(id).check(z.maxLength(100)), [])

/**
 * State of the latest ticket mail to an attendee: `opened` when the ticket's page was opened since; `held` when the address got too many
 * unrequested mails in one day; null when there is no such mail.
 */
const mailState = z.nullable(z.enum(['queued', 'sent', 'failed', 'dropped', 'held', 'opened']))

/** One line of the attendee list. */
const attendeeRow = z.object({
  /** The registration's id once more. */
  rId: id,
  registration,
  /** Its ticket type; null where the event has only one. */
  ticketType: z._default(z.nullable(typeOfTicket), null),
  checkin: z.nullable(
    z.object({
      ...ticketCheckin.shape,
      /** When somebody who was let in went out; null while they are inside. */
      outSince: z._default(z.nullable(moment), null),
    }),
  ),
  extras: z.array(extrasPurchase),
  mail: mailState,
  /** How many people its order is for, also those who were cancelled: 1 for somebody alone. */
  peopleInOrder: z._default(z.int(), 1),
  /** The code that it was made with, as staff wrote it; null for none. */
  code: z._default(z.nullable(z.string()), null),
  /** The payment; null when nothing was paid. A server of the version before leaves it out. */
  payment: z._default(z.nullable(paymentSummary), null),
})
export type AttendeeRow = z.output<typeof attendeeRow>

/** Everybody whom a search finds, each counted once. */
const attendeeCounts = z.object({
  /** Confirmed, and not checked in. */
  notIn: z.int(),
  /** Confirmed, and checked in. */
  in: z.int(),
  /** Not paid yet. */
  pending: z.int(),
  cancelled: z.int(),
})
export type AttendeeCounts = z.output<typeof attendeeCounts>

export const sortOrders = ['registration', 'checkin', 'name'] as const

/** The filters of the attendee list. */
const attendeeFilters = z.strictObject({
  eventId: idText,
  /** Matches parts of name, e-mail and phone, ignoring case and accents, and an id. */
  searchKeyword: z._default(line(100), ''),
  checkin: z.optional(booleanText),
  /** Among those with vouchers: whether all of them are used up. */
  redeemed: z.optional(booleanText),
  status: z.optional(registrationStatus),
  /** Only those of this ticket type. */
  ticketTypeId: z.optional(idText),
  /** Only those of this order. */
  orderId: z.optional(idText),
  /** Only those who registered with this code. */
  codeId: z.optional(idText),
})

/** One entry in the history of a registration. */
const timelineEntry = z.object({
  at: moment,
  /** The subject; a mail's entry shows its current state. */
  kind: z.enum(['registration', 'checkin', 'mail']),
  text: z.string(),
  /** Who did it; null when the visitor or Turnout itself did. */
  by: z.nullable(z.string()),
})
export type TimelineEntry = z.output<typeof timelineEntry>

const limitText = z.codec(
  z.string().check(z.regex(/^\d{1,4}$/, { error: texts.numberUpTo1000 })),
  z.int().check(z.minimum(1), z.maximum(1000)),
  {
    decode: Number,
    encode: String,
  },
)

/** Actions that can be applied to several registrations at once. */
export const bulkActions = ['resend', 'check in', 'cancel'] as const
export const MOST_AT_ONCE = 1_000

/** Calls with which staff manage an event's attendees. */
export const attendeeApi = api({
  save: {
    method: 'POST',
    path: '/api/registration/save',
    access: {
      who: 'admin',
      event: 'payload.eventId',
      needs: 'walk-ins',
      toEdit: { id: 'payload.id', needs: 'attendees' },
    },
    refuses: [
      'ALREADY_REGISTERED',
      'SOLD_OUT',
      'VOUCHER_SOLD_OUT',
      'IDEMPOTENCY_MISMATCH',
      'EDIT_CONFLICT',
      'TICKET_CANCELLED',
      'EVENT_CANCELLED',
      'PAYMENTS_OFF',
    ],
    summary: 'Staff add somebody, confirmed at once, or correct a registration.',
    input: z.strictObject({
      payload: z.strictObject({
        id: z.optional(id),
        eventId: id,
        /** The ticket type of somebody added; left out, the first one. */
        ticketTypeId: z.optional(id),
        registrationData: staffRegistrationData,
        /** With it, a correction is refused when somebody else made one in between. */
        version: z.optional(version),
        /** Mail the ticket of a corrected registration again. */
        resend: z.optional(z.boolean()),
        extrasIds: givenVouchers,
        /** Repeating the key adds nobody twice. */
        idempotencyKey: z.optional(requiredLine(100)),
      }),
    }),
    payload: registration,
    sentBack: { payload: registration },
  },
  updateStatus: {
    method: 'POST',
    path: '/api/registration/updateStatus',
    access: { who: 'admin', event: 'payload.eventId', needs: 'attendees' },
    refuses: [
      'ILLEGAL_TRANSITION',
      'SOLD_OUT',
      'VOUCHER_SOLD_OUT',
      'ALREADY_REGISTERED',
      'EVENT_CANCELLED',
      'HAS_PAID',
    ],
    summary:
      'Cancel a registration, or confirm a cancelled one again while a seat is left. The attendee is told by mail.',
    input: z.strictObject({ payload: z.strictObject({ id, eventId: id, status: registrationStatus }) }),
    payload: registration,
    sentBack: { payload: registration },
  },
  changeMany: {
    method: 'POST',
    path: '/api/registration/changeMany',
    access: { who: 'admin', event: 'payload.eventId', needs: 'attendees' },
    refuses: ['EVENT_CANCELLED'],
    summary:
      'Send tickets again, check in or cancel several at once; those for which it is not possible stay as they are.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        registrationIds: z.array(id).check(z.minLength(1, { error: texts.chooseSomebody }), z.maxLength(MOST_AT_ONCE)),
        action: z.enum(bulkActions),
      }),
    }),
    payload: z.object({ changed: z.int(), unchanged: z.int() }),
  },
  getAttendees: {
    method: 'GET',
    path: '/api/registration/getAttendees',
    access: { who: 'admin', event: 'eventId', needs: 'read' },
    summary: "An event's attendees, a page at a time; `nextCursor` is the way to the next.",
    input: z.extend(attendeeFilters, {
      sortBy: z._default(z.enum(sortOrders), 'registration'),
      cursor: z.optional(z.string().check(z.maxLength(1000))),
      limit: z._default(limitText, 50),
    }),
    payload: z.object({
      attendees: z.array(attendeeRow),
      total: z.int(),
      nextCursor: z.nullable(z.string()),
      /** Counts of the search, whatever its `status` and `checkin`; null for pages after the first. */
      counts: z._default(z.nullable(attendeeCounts), null),
    }),
  },
  downloadAttendees: {
    method: 'GET',
    path: '/api/registration/downloadAttendees',
    access: { who: 'admin', event: 'eventId', needs: 'export' },
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    summary: "An event's attendees as a spreadsheet: all, those that the filters find, or those chosen.",
    input: z.extend(attendeeFilters, { searchKeyword: z.optional(line(100)), registrationIds: z.optional(idsText) }),
    payload: z.null(),
  },
  getTimeline: {
    method: 'GET',
    path: '/api/registration/getTimeline',
    access: { who: 'admin', event: 'eventId', needs: 'read' },
    summary: 'What happened to a registration, latest first.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: z.array(timelineEntry),
  },
  sendTicket: {
    method: 'GET',
    path: '/api/registration/sendTicket',
    access: { who: 'admin', event: 'eventId', needs: 'attendees' },
    refuses: ['NO_EMAIL', 'TICKET_CANCELLED', 'TICKET_UNPAID', 'EVENT_CANCELLED'],
    changes: true,
    summary: 'Send the ticket again.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: z.null(),
  },
  removeRegistration: {
    method: 'GET',
    path: '/api/registration/removeRegistration',
    access: { who: 'admin', event: 'eventId', needs: 'attendees' },
    refuses: ['HAS_PAID'],
    changes: true,
    summary: 'Remove a registration for good; refused while it is paid.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: registration,
  },
  getAttendeeIds: {
    method: 'GET',
    path: '/api/registration/getAttendeeIds',
    access: { who: 'admin', event: 'eventId', needs: 'read' },
    summary: 'The ids of all attendees that the filters find, for doing something to all of them.',
    input: attendeeFilters,
    payload: z.array(id),
  },
})
