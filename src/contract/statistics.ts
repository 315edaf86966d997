import * as z from 'zod/mini'
import { doorWay } from './door-money.ts'
import { api } from './endpoint.ts'
import { day, id, idText, moment } from './values/fields.ts'

const count = z.int()

const statistics = z.object({
  /** Registrations made on `date`, in the event's time zone. */
  historicalRegistrationCount: count,
  /** Check-ins on `date`, in the event's time zone. */
  historicalCheckinCount: count,
  /** Seats taken: confirmed and live holds. */
  totalRegistrationCount: count,
  totalCheckinCount: count,
  /** By day of the event's time zone, oldest first; `at` is the day's start. Days on which nothing happened are left out. */
  series: z.array(z.object({ at: moment, registrations: count, checkins: count })),
  /** Check-ins of `date` by five minutes, from the first to the last. */
  arrivals: z.array(z.object({ at: moment, checkins: count })),
  /** Vouchers of confirmed registrations by kind, and how many of them were used up. */
  vouchers: z.array(z.object({ name: z.string(), sold: count, redeemed: count })),
  /**
   * Tickets by type, where the event has or had several: those sold (confirmed and live holds), those checked in, and what was paid for
   * the tickets of confirmed registrations, without their vouchers; minor unit.
   */
  ticketTypes: z._default(
    z.array(
      z.object({ id, name: z.string(), sold: count, checkedIn: count, paid: count, maxQuantity: z.nullable(count) }),
    ),
    [],
  ),
  /** Minor unit: the amounts paid, given back, and taken back by the bank in lost disputes. Null when nothing was ever paid. */
  income: z.nullable(z.object({ paid: count, refunded: count, lost: count, currency: z.string() })),
  /**
   * The income by day of the event's time zone, oldest first; `at` is the day's start. What was given back stands at the day of the refund,
   * what was lost at the day on which it had been paid. Days without money are left out; the sums are those of `income`.
   */
  incomeByDay: z._default(z.array(z.object({ at: moment, paid: count, refunded: count, lost: count })), []),
  /** What was taken at the door, by helper and way, without what was given back; it is part of `income`. Amounts in the minor unit. */
  doorMoney: z._default(z.array(z.object({ by: z.string(), way: doorWay, count, amount: count })), []),
  /** Registrations that hold a seat and are not paid yet. */
  unpaidCount: z._default(count, 0),
  /** What these have still to pay; minor unit of the event's currency. */
  unpaidAmount: z._default(count, 0),
})
export type Statistics = z.output<typeof statistics>

const answerCounts = z.object({
  questionId: id,
  question: z.string(),
  /** Whether a person may choose several options, so that the counts add up to more than `answered`. */
  isMultiple: z.boolean(),
  /** Confirmed registrations with an answer. */
  answered: count,
  /** In the order of the form. */
  options: z.array(z.object({ option: z.string(), count })),
  /** Answers that are not among the options: they were offered before, or given as text before the question had options. */
  otherCount: count,
})
export type AnswerCounts = z.output<typeof answerCounts>

export const statisticsApi = api({
  getStatistics: {
    method: 'GET',
    path: '/api/checkin/getStatistics',
    access: { who: 'sudo-or-admin', event: 'eventId', needs: 'read' },
    summary: 'The counts of an event, in all and on one day, with their course.',
    input: z.strictObject({ eventId: idText, date: day }),
    payload: statistics,
  },
  getAnswerCounts: {
    method: 'GET',
    path: '/api/checkin/getAnswerCounts',
    access: { who: 'sudo-or-admin', event: 'eventId', needs: 'read' },
    summary: "How often each option of an event's questions was chosen in confirmed registrations.",
    input: z.strictObject({ eventId: idText }),
    payload: z.array(answerCounts),
  },
})
