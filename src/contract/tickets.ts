import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { club } from './club.ts'
import { api } from './endpoint.ts'
import { event } from './event.ts'
import { extrasPurchase } from './extras.ts'
import { receipt } from './receipts.ts'
import { answered, correction, paymentSummary, registration, registrationData, ticketCheckin } from './registrations.ts'
import { typeOfTicket } from './ticket-type.ts'
import { amount, id, idText, line, requiredLine, version } from './values/fields.ts'

/** Somebody to whom a ticket is handed on, filled in by its former holder. */
export const newHolder = z.strictObject({
  ...registrationData.shape,
  name: requiredLine(120, fieldTexts.nameNeeded),
})

/** What a refusal with TICKET_HANDED_ON tells whoever still has the former code: where the ticket was for. */
export const formerTicket = z.object({ club, event: z.object({ id, clubId: id, name: z.string() }) })

/** The calls of ticket holders. */
export const ticketApi = api({
  getRegistration: {
    method: 'GET',
    path: '/api/registration/getRegistration',
    access: { who: 'holder', ticket: 'registrationId', to: 'read', staff: 'read' },
    summary: 'A ticket with its event, its vouchers and what was paid.',
    uncompressed: true,
    input: z.strictObject({ registrationId: idText, qrUuid: z.optional(z.string().check(z.maxLength(100))) }),
    payload: z.object({
      registration,
      event,
      club,
      /** Its ticket type; null where the event has only one. */
      ticketType: z._default(z.nullable(typeOfTicket), null),
      checkin: z.nullable(ticketCheckin),
      extras: z.array(extrasPurchase),
      /** The payment; null when nothing was paid. */
      payment: z.nullable(paymentSummary),
      /** The same for the payer, line by line. */
      receipt: z.nullable(receipt),
      /** How many people its order is for, also those who were cancelled: 1 for somebody alone. */
      peopleInOrder: z._default(z.int(), 1),
      /** Whether its holder may hand it on to somebody else; that ends with corrections. */
      canHandOn: z._default(z.boolean(), false),
      /** Why its holder may not, in words, where the event lets others do it; null otherwise. */
      handOnNote: z._default(z.nullable(z.string()), null),
      /** While it is not paid: for how many of its order is paid together, and how much; null when it is paid alone. */
      paidTogether: z._default(z.nullable(z.object({ people: z.int(), amount })), null),
    }),
  },
  getTicketPdf: {
    method: 'GET',
    path: '/api/registration/getTicketPdf',
    access: { who: 'holder', ticket: 'registrationId', to: 'get a file' },
    refuses: ['TICKET_CANCELLED', 'TICKET_UNPAID'],
    file: 'application/pdf',
    summary: 'The ticket as a PDF.',
    input: z.strictObject({ registrationId: idText, qrUuid: line(100) }),
    payload: z.null(),
  },
  getCalendarFile: {
    method: 'GET',
    path: '/api/registration/getCalendarFile',
    access: { who: 'holder', ticket: 'registrationId', to: 'get a file' },
    refuses: ['TICKET_CANCELLED', 'TICKET_UNPAID'],
    file: 'text/calendar; charset=utf-8',
    summary: "The ticket's event for a calendar program.",
    input: z.strictObject({ registrationId: idText, qrUuid: line(100) }),
    payload: z.null(),
  },
  correct: {
    method: 'POST',
    path: '/api/registration/correct',
    access: { who: 'holder', ticket: 'payload.registrationId', to: 'change' },
    refuses: [
      'ALREADY_REGISTERED',
      'EDIT_CONFLICT',
      'EVENT_CANCELLED',
      'TICKET_CANCELLED',
      'ALREADY_CHECKED_IN',
      'CORRECTIONS_CLOSED',
    ],
    uncompressed: true,
    summary: "Whoever holds a ticket corrects name, phone and answers, until the event's deadline.",
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        registrationData: correction,
        /** With it, the correction is refused when somebody else made one in between. */
        version: z.optional(version),
      }),
    }),
    payload: registration,
    sentBack: { 'payload.registrationData.others': answered },
  },
  handOn: {
    method: 'POST',
    path: '/api/registration/handOn',
    access: { who: 'holder', ticket: 'payload.registrationId', to: 'change' },
    refuses: [
      'ALREADY_REGISTERED',
      'EMAIL_LIMIT',
      'EVENT_CANCELLED',
      'TICKET_CANCELLED',
      'TICKET_UNPAID',
      'ALREADY_CHECKED_IN',
      'HAND_ON_CLOSED',
    ],
    uncompressed: true,
    summary:
      'Whoever holds a ticket hands it on: the codes of the ticket and its vouchers are void, the new person gets new ones by mail, and both are told.',
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        /** The new person, as a form for this ticket asks for them. */
        registrationData: newHolder,
      }),
    }),
    payload: z.null(),
  },
  noteOpened: {
    method: 'POST',
    path: '/api/registration/noteOpened',
    access: { who: 'holder', ticket: 'payload.registrationId', to: 'read' },
    summary: "The ticket's page was opened by who holds it: its mail has arrived.",
    input: z.strictObject({
      payload: z.strictObject({
        registrationId: id,
        qrUuid: line(100),
        /** From the link in the mail: it proves that the ticket holder reads mail at this address. */
        mailId: z.optional(z.uuid()),
      }),
    }),
    payload: z.null(),
  },
  giveBack: {
    method: 'POST',
    path: '/api/registration/giveBack',
    access: { who: 'holder', ticket: 'payload.registrationId', to: 'change' },
    refuses: ['TICKET_CANCELLED', 'ALREADY_CHECKED_IN', 'EVENT_OVER', 'HAS_PAID'],
    uncompressed: true,
    summary: 'Whoever holds a ticket gives the place back: the seat is free again, the code is void, the club is told.',
    input: z.strictObject({ payload: z.strictObject({ registrationId: id, qrUuid: line(100) }) }),
    payload: registration,
  },
})
