import * as z from 'zod/mini'
import { club } from './clubs.ts'
import { api } from './endpoint.ts'
import { event } from './events.ts'
import { amount, email, id, idText, moment, phone, requiredLine } from './fields.ts'

export const registrationStatus = z.enum(['pending', 'confirmed', 'cancelled'])

const answerText = z.string().check(z.maxLength(5000))

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
    /** The answers, each with its question's text as answered. */
    others: z.array(z.object({ qId: id, question: z.string(), answer: z.union([z.string(), z.array(z.string())]) })),
  }),
  registrationTime: moment,
  status: registrationStatus,
  /** Until when an unpaid registration keeps its seat. */
  holdExpiresAt: z.nullable(moment),
  /** Minor unit. */
  amount,
  currency: z.string(),
})
export type Registration = z.output<typeof registration>

/** What a visitor fills in. */
export const registrationData = z.strictObject({
  name: requiredLine(120, 'Enter your name.'),
  email,
  phone,
  others: z._default(
    z
      .array(z.strictObject({ qId: id, answer: z.union([answerText, z.array(answerText).check(z.maxLength(100))]) }))
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

export const registrationApi = api({
  initRegistration: {
    method: 'POST',
    path: '/api/registration/initRegistration',
    access: { who: 'visitor' },
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
  },
  getRegistration: {
    method: 'GET',
    path: '/api/registration/getRegistration',
    access: { who: 'visitor' },
    summary: "A ticket, for who holds its `qrUuid`, or for its own club's staff.",
    input: z.strictObject({ registrationId: idText, qrUuid: z.optional(z.string().check(z.maxLength(100))) }),
    payload: z.object({
      registration,
      event,
      club,
      checkin: z.nullable(ticketCheckin),
      extras: z.array(z.never()),
    }),
  },
})
