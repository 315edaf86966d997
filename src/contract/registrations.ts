import * as z from 'zod/mini'
import { club } from './clubs.ts'
import { api } from './endpoint.ts'
import { event } from './events.ts'
import { extrasPurchase } from './extras.ts'
import { receipt } from './receipts.ts'
import {
  amount,
  booleanText,
  email,
  id,
  idsText,
  idText,
  line,
  moment,
  paragraph,
  phone,
  requiredLine,
  version,
} from './values/fields.ts'

export const registrationStatus = z.enum(['pending', 'confirmed', 'cancelled'])
export type RegistrationStatus = z.output<typeof registrationStatus>

const answerText = paragraph(5000)

/** An answer with its question's text as answered. */
const answered = z.object({ qId: id, question: z.string(), answer: z.union([z.string(), z.array(z.string())]) })

export const registration = z.object({
  id,
  eventId: id,
  clubId: id,
  /** UUIDv4, the ticket's secret: only in answers to its holder and its own club. */
  qrUuid: z.string(),
  registrationData: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    others: z.array(answered),
  }),
  registrationTime: moment,
  status: registrationStatus,
  /** Until when an unpaid registration keeps its seat. */
  holdExpiresAt: z.nullable(moment),
  /** Minor unit. */
  amount,
  currency: z.string(),
  /** Why it is cancelled; one whose hold ended can still be paid while there is a place. */
  cancelReason: z.nullable(z.enum(['hold ended', 'staff', 'holder', 'refund'])),
  version,
})
export type Registration = z.output<typeof registration>

/** What was paid for a registration, for its panel and its ticket. */
export const paymentSummary = z.object({
  /** Minor units. */
  paid: z.int(),
  /** Given back, or about to be. */
  refunded: z.int(),
  /** Taken back by the bank in a dispute that the club has lost: no income either. */
  lost: z.int(),
  currency: z.string(),
  paidAt: moment,
  /** Stripe's word for where a dispute stands; null when there is none. */
  dispute: z.nullable(z.string()),
})
export type PaymentSummary = z.output<typeof paymentSummary>

/** What a visitor fills in. */
export const registrationData = z.strictObject({
  name: requiredLine(120, 'Enter your name.'),
  email,
  phone,
  others: z._default(
    z
      .array(
        z.strictObject({
          qId: id,
          /** Left out: not answered. */
          answer: z.optional(z.union([answerText, z.array(answerText).check(z.maxLength(100))])),
        }),
      )
      .check(z.maxLength(200)),
    [],
  ),
})
export type RegistrationData = z.output<typeof registrationData>

/** The ticket as its page shows it; the check-in is null until the door. */
const ticketCheckin = z.object({
  id,
  registrationId: id,
  status: z.boolean(),
  checkinTime: z.nullable(moment),
  checkedInBy: z.nullable(z.string()),
})

/** What staff fill in for somebody: at the door there may be neither an e-mail address nor a phone number. */
export const staffRegistrationData = z.extend(registrationData, {
  name: requiredLine(120, 'Enter a name.'),
  email: z.union([email, z.literal('')], 'Enter an e-mail address like name@example.org.'),
  phone: z.union([phone, z.literal('')], 'Enter a phone number like +44 20 7946 0958.'),
})

/**
 * Where the latest ticket mail to an attendee stands: `opened` when the ticket's page was since; `held` when too many mails went to the
 * address in a day without its asking; null when there was none.
 */
const mailState = z.nullable(z.enum(['queued', 'sent', 'failed', 'dropped', 'held', 'opened']))

/** What who holds a ticket may correct of it. */
export const correction = z.omit(registrationData, { email: true })

/** One line of the attendee list. */
export const attendeeRow = z.object({
  /** The registration's id once more. */
  rId: id,
  registration,
  checkin: z.nullable(ticketCheckin),
  extras: z.array(extrasPurchase),
  mail: mailState,
})
export type AttendeeRow = z.output<typeof attendeeRow>

export const sortOrders = ['registration', 'checkin', 'name'] as const

/** What narrows the attendee list down. */
export const attendeeFilters = z.strictObject({
  eventId: idText,
  /** Finds parts of name, e-mail and phone, whatever the case and the accents, and an id. */
  searchKeyword: z._default(line(100), ''),
  checkin: z.optional(booleanText),
  /** Of those with vouchers: who has used all of them, or not. */
  redeemed: z.optional(booleanText),
  status: z.optional(registrationStatus),
})

/** One thing that happened to a registration. */
const timelineEntry = z.object({
  at: moment,
  /** What happened, as `subject action`; a mail's state is that of now. */
  kind: z.enum(['registration', 'checkin', 'mail']),
  text: z.string(),
  /** Who did it; null when the visitor or Turnout itself did. */
  by: z.nullable(z.string()),
})
export type TimelineEntry = z.output<typeof timelineEntry>

const limitText = z.codec(
  z.string().check(z.regex(/^\d{1,3}$/, 'Expected a number up to 200.')),
  z.int().check(z.minimum(1), z.maximum(200)),
  {
    decode: Number,
    encode: String,
  },
)

/** What can be done to several at once. */
export const bulkActions = ['resend', 'check in', 'cancel'] as const
export const MOST_AT_ONCE = 1_000

export const registrationApi = api({
  initRegistration: {
    method: 'POST',
    path: '/api/registration/initRegistration',
    access: { who: 'visitor' },
    uncompressed: true,
    summary: 'Register for an event. A free one is confirmed at once.',
    input: z.strictObject({
      newRegistration: z.strictObject({ eventId: id, clubId: id, registrationData }),
      /** Vouchers to buy with it; an id twice is two of it. */
      extrasIds: z._default(z.array(id).check(z.maxLength(100)), []),
      /** The same key with the same body has one effect and one answer. */
      idempotencyKey: z.optional(requiredLine(100)),
    }),
    payload: z.object({
      savedRegistration: registration,
      clientSecret: z.nullable(z.string()),
      checkoutUrl: z.nullable(z.string()),
    }),
    sentBack: { 'newRegistration.registrationData.others': answered },
  },
  save: {
    method: 'POST',
    path: '/api/registration/save',
    access: { who: 'admin', event: 'payload.eventId' },
    summary: 'Staff add somebody, confirmed at once, or correct a registration.',
    input: z.strictObject({
      payload: z.strictObject({
        id: z.optional(id),
        eventId: id,
        registrationData: staffRegistrationData,
        /** With it a correction is refused when somebody else corrected it in between. */
        version: z.optional(version),
        /** Mail the ticket of a corrected registration again. */
        resend: z.optional(z.boolean()),
        extrasIds: z._default(z.array(id).check(z.maxLength(100)), []),
        /** The same key again adds nobody twice. */
        idempotencyKey: z.optional(requiredLine(100)),
      }),
    }),
    payload: registration,
    sentBack: { payload: registration },
  },
  updateStatus: {
    method: 'POST',
    path: '/api/registration/updateStatus',
    access: { who: 'admin', event: 'payload.eventId' },
    summary:
      'Cancel a registration, or confirm a cancelled one again while a seat is left. The attendee is told by mail.',
    input: z.strictObject({ payload: z.strictObject({ id, eventId: id, status: registrationStatus }) }),
    payload: registration,
    sentBack: { payload: registration },
  },
  changeMany: {
    method: 'POST',
    path: '/api/registration/changeMany',
    access: { who: 'admin', event: 'payload.eventId' },
    summary:
      'Send tickets again, check in or cancel several at once; those for which it is not possible stay as they are.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        registrationIds: z.array(id).check(z.minLength(1, 'Choose somebody.'), z.maxLength(MOST_AT_ONCE)),
        action: z.enum(bulkActions),
      }),
    }),
    payload: z.object({ changed: z.int(), unchanged: z.int() }),
  },
  getAttendees: {
    method: 'GET',
    path: '/api/registration/getAttendees',
    access: { who: 'admin', event: 'eventId' },
    summary: "An event's attendees, a page at a time; `nextCursor` is the way to the next.",
    input: z.extend(attendeeFilters, {
      sortBy: z._default(z.enum(sortOrders), 'registration'),
      cursor: z.optional(z.string().check(z.maxLength(1000))),
      limit: z._default(limitText, 50),
    }),
    payload: z.object({ attendees: z.array(attendeeRow), total: z.int(), nextCursor: z.nullable(z.string()) }),
  },
  downloadAttendees: {
    method: 'GET',
    path: '/api/registration/downloadAttendees',
    access: { who: 'admin', event: 'eventId' },
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    summary: "An event's attendees as a spreadsheet: all, those that the filters find, or those chosen.",
    input: z.extend(attendeeFilters, { searchKeyword: z.optional(line(100)), registrationIds: z.optional(idsText) }),
    payload: z.null(),
  },
  getTimeline: {
    method: 'GET',
    path: '/api/registration/getTimeline',
    access: { who: 'admin', event: 'eventId' },
    summary: 'What happened to a registration, latest first.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: z.array(timelineEntry),
  },
  sendTicket: {
    method: 'GET',
    path: '/api/registration/sendTicket',
    access: { who: 'admin', event: 'eventId' },
    changes: true,
    summary: 'Send the ticket again.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: z.null(),
  },
  removeRegistration: {
    method: 'GET',
    path: '/api/registration/removeRegistration',
    access: { who: 'admin', event: 'eventId' },
    changes: true,
    summary: 'Remove a registration for good; refused while it is paid.',
    input: z.strictObject({ registrationId: idText, eventId: idText }),
    payload: registration,
  },
  getTicketPdf: {
    method: 'GET',
    path: '/api/registration/getTicketPdf',
    access: { who: 'visitor' },
    file: 'application/pdf',
    summary: 'The ticket as a PDF, for who holds its `qrUuid`.',
    input: z.strictObject({ registrationId: idText, qrUuid: line(100) }),
    payload: z.null(),
  },
  getCalendarFile: {
    method: 'GET',
    path: '/api/registration/getCalendarFile',
    access: { who: 'visitor' },
    file: 'text/calendar; charset=utf-8',
    summary: "The ticket's event for a calendar program, for who holds its `qrUuid`.",
    input: z.strictObject({ registrationId: idText, qrUuid: line(100) }),
    payload: z.null(),
  },
  correct: {
    method: 'POST',
    path: '/api/registration/correct',
    access: { who: 'visitor' },
    uncompressed: true,
    summary: "Whoever holds a ticket corrects name, phone and answers, until the event's deadline.",
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        registrationData: correction,
        /** With it the correction is refused when somebody else made one in between. */
        version: z.optional(version),
      }),
    }),
    payload: registration,
    sentBack: { 'payload.registrationData.others': answered },
  },
  noteOpened: {
    method: 'POST',
    path: '/api/registration/noteOpened',
    access: { who: 'visitor' },
    summary: "The ticket's page was opened by who holds it: its mail has arrived.",
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        /** From the link in the mail: it proves that the address is read by who holds the ticket. */
        mailId: z.optional(z.uuid()),
      }),
    }),
    payload: z.null(),
  },
  giveBack: {
    method: 'POST',
    path: '/api/registration/giveBack',
    access: { who: 'visitor' },
    uncompressed: true,
    summary: 'Whoever holds a ticket gives the place back: the seat is free again, the code is void, the club is told.',
    input: z.strictObject({ payload: z.strictObject({ registrationId: id, qrUuid: line(100) }) }),
    payload: registration,
  },
  findTicket: {
    method: 'POST',
    path: '/api/registration/findTicket',
    access: { who: 'visitor' },
    summary: 'Mails the tickets of this address for an event, if there are any. The answer is the same if not.',
    input: z.strictObject({ payload: z.strictObject({ eventId: id, email }) }),
    payload: z.null(),
  },
  getRegistration: {
    method: 'GET',
    path: '/api/registration/getRegistration',
    access: { who: 'visitor' },
    summary: "A ticket, for who holds its `qrUuid`, or for its own club's staff, who may leave that out.",
    uncompressed: true,
    input: z.strictObject({ registrationId: idText, qrUuid: z.optional(z.string().check(z.maxLength(100))) }),
    payload: z.object({
      registration,
      event,
      club,
      checkin: z.nullable(ticketCheckin),
      extras: z.array(extrasPurchase),
      /** What was paid; null when nothing was. */
      payment: z.nullable(paymentSummary),
      /** The same for who paid it, line by line. */
      receipt: z.nullable(receipt),
    }),
  },
})
