import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { MOST_IN_ORDER, order } from './order.ts'
import { amount, email, id, line, moment, paragraph, phone, requiredLine, version } from './values/fields.ts'

export const registrationStatus = z.enum(['pending', 'confirmed', 'cancelled'])
export type RegistrationStatus = z.output<typeof registrationStatus>

const answerText = paragraph(5000)

/** An answer with its question's text as answered. */
export const answered = z.object({ qId: id, question: z.string(), answer: z.union([z.string(), z.array(z.string())]) })

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
  /** What a code took off its price, in the minor unit; `amount` is what is left. */
  discount: z._default(amount, 0),
  /** The order that it was made with: its own id when it was made alone, and 0 in answers kept from before there were orders. */
  orderId: z._default(z.int(), 0),
  version,
})
export type Registration = z.output<typeof registration>

/** Summary of the payment for a registration, for its panel and its ticket. */
export const paymentSummary = z.object({
  /** Minor units. */
  paid: z.int(),
  /** Given back, or about to be. */
  refunded: z.int(),
  /** Taken back by the bank in a dispute that the club has lost: no income either. */
  lost: z.int(),
  currency: z.string(),
  paidAt: moment,
  /** Stripe's status of a dispute; null when there is none. */
  dispute: z.nullable(z.string()),
  /** How much of `paid` was taken at the door; what is given back of it is given by hand. */
  atDoor: z._default(z.int(), 0),
  /** How much of that is not given back yet. */
  atDoorLeft: z._default(z.int(), 0),
})
export type PaymentSummary = z.output<typeof paymentSummary>

const name = requiredLine(120, fieldTexts.ownNameNeeded)
const answers = z
  .array(
    z.strictObject({
      qId: id,
      /** Left out: not answered. */
      answer: z.optional(z.union([answerText, z.array(answerText).check(z.maxLength(100))])),
    }),
  )
  .check(z.maxLength(200))
const others = z._default(answers, [])

/** The fields a visitor fills in. Whether the phone number may be empty depends on the event (`phone-field.ts`). */
export const registrationData = z.strictObject({ name, email, phone: z._default(phone, ''), others })
export type RegistrationData = z.output<typeof registrationData>

/** Somebody registered together with others. Without an address they get their ticket through the first of them. */
export const companion = z.strictObject({
  /** Left out, it is the first ticket type on sale that everybody can buy. */
  ticketTypeId: z.optional(id),
  registrationData: z.strictObject({
    name: requiredLine(120, fieldTexts.nameNeeded),
    email: z._default(z.union([email, z.literal('')], { error: fieldTexts.emailLike }), ''),
    phone: z._default(phone, ''),
    others,
  }),
  /** Their member number or address, for a ticket for members. */
  memberId: z.optional(line(254)),
  /** Ids of the vouchers to buy with it; an id given twice buys two. */
  extrasIds: z._default(z.array(id).check(z.maxLength(100)), []),
})
export type Companion = z.output<typeof companion>

/** A ticket's check-in, without the phone's name. */
export const ticketCheckin = z.object({
  id,
  registrationId: id,
  status: z.boolean(),
  checkinTime: z.nullable(moment),
  checkedInBy: z.nullable(z.string()),
})

/** The fields that a ticket holder may correct. A phone number must be empty to be removed: left out, it is refused. */
export const correction = z.strictObject({ name, phone, others })

/** The calls of somebody who registers. Those of ticket holders are in `tickets.ts`. */
export const registrationApi = api({
  initRegistration: {
    method: 'POST',
    path: '/api/registration/initRegistration',
    access: { who: 'visitor' },
    refuses: [
      'NOT_FOUND',
      'ALREADY_REGISTERED',
      'EMAIL_LIMIT',
      'SOLD_OUT',
      'VOUCHER_SOLD_OUT',
      'REGISTRATION_NOT_OPEN',
      'REGISTRATION_CLOSED',
      'EVENT_CANCELLED',
      'EVENT_OVER',
      'PAYMENTS_OFF',
      'CODE_NOT_VALID',
      'NOT_A_MEMBER',
      'TICKET_CANCELLED',
      'IDEMPOTENCY_MISMATCH',
      'TOO_MANY_HOLDS',
      'PROOF_NEEDED',
    ],
    uncompressed: true,
    summary: 'Register for an event, alone or together with others. A free one is confirmed at once.',
    input: z.strictObject({
      newRegistration: z.strictObject({
        eventId: id,
        clubId: id,
        /** Left out, it is the first ticket type on sale that everybody can buy. */
        ticketTypeId: z.optional(id),
        registrationData,
        /** Their member number or address, for a ticket for members. */
        memberId: z.optional(line(254)),
      }),
      /** Ids of the vouchers to buy with it; an id given twice buys two. */
      extrasIds: z._default(z.array(id).check(z.maxLength(100)), []),
      /** Those registered together with them: all get their seats, or nobody does. */
      companions: z.optional(z.array(companion).check(z.maxLength(MOST_IN_ORDER - 1))),
      /** A code for lower prices or tickets that need one, for all of them. */
      code: z.optional(line(100)),
      /** The answers to the questions that are asked once for the order; they may also be among the first person's. */
      orderAnswers: z.optional(answers),
      /** The same key with the same body has one effect and one answer. */
      idempotencyKey: z.optional(requiredLine(100)),
    }),
    payload: z.object({
      savedRegistration: registration,
      clientSecret: z.nullable(z.string()),
      checkoutUrl: z.nullable(z.string()),
      /** With `companions`, also an empty list: the order, and all of its registrations from the first. */
      order: z.optional(order),
      registrations: z.optional(z.array(registration)),
    }),
    sentBack: { 'newRegistration.registrationData.others': answered },
  },
  findTicket: {
    method: 'POST',
    path: '/api/registration/findTicket',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND', 'PROOF_NEEDED'],
    summary:
      'Mails the tickets of this address for an event, or for all that are not over, if there are any. The answer is the same if not.',
    input: z.strictObject({ payload: z.strictObject({ eventId: z.optional(id), email }) }),
    payload: z.null(),
  },
})
