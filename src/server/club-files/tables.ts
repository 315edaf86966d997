import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { currency, language } from '../../contract/values/account-fields.ts'
import { id, line, paragraph, requiredLine } from '../../contract/values/fields.ts'
import { searchTextOf } from '../places/place-queries.ts'
import type { ClubTable } from './club-table.ts'
import { codes, events, extras, questions, ticketTypes } from './event-tables.ts'
import {
  field,
  flag,
  looseRef,
  moment,
  money,
  number,
  oneOf,
  optionalMoment,
  optionalMoney,
  optionalOneOf,
  optionalRef,
  optionalText,
  orderRef,
  own,
  ref,
  secret,
  text,
} from './fields.ts'
import type { MovedIds } from './moved-ids.ts'

const answers = z
  .array(
    z.strictObject({
      qId: id,
      question: z.string().check(z.maxLength(1000)),
      answer: z.union([paragraph(20_000), z.array(line(1000)).check(z.maxLength(200))]),
    }),
  )
  .check(z.maxLength(500))
/** For answers to a question that is gone: no row has this number. */
const NO_QUESTION = 2_147_483_647
const walkIn = z.nullable(
  z.object({
    name: line(1000),
    email: line(300),
    phone: line(100),
    others: z.optional(
      z.array(z.object({ qId: id, answer: z.optional(z.union([paragraph(20_000), z.array(line(1000))])) })),
    ),
    ticketTypeId: z.optional(z.nullable(id)),
    extrasIds: z.optional(z.array(id)),
  }),
)
/** What was done; no name that every object has, since words are looked up by it. */
const action = requiredLine(100).check(z.refine((text) => !(text in {})))
/** What was before or after a change. */
const logged = z.unknown().check(z.refine((value) => isPlain(value)))

/** Whether it is what a change may log: not deep, not long, and with currencies that can be written. */
function isPlain(value: unknown, depth = 8): boolean {
  if (typeof value === 'string') return value.length <= 20_000
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  const entries = Object.entries(value)
  return entries.every(
    ([name, each]) =>
      isPlain(each, depth - 1) && (name !== 'currency' || (typeof each === 'string' && /^[a-z]{3}$/.test(each))),
  )
}

const registrations: ClubTable = {
  name: 'registrations',
  columns: {
    id: own('registrations'),
    event_id: ref('events'),
    qr_uuid: secret,
    name: text(300),
    email: text(254),
    phone: text(100),
    others: field(answers, (all, ids) =>
      all.map((each) => ({ ...each, qId: ids.known('form_questions', each.qId) ?? NO_QUESTION })),
    ),
    registration_time: moment,
    status: oneOf('pending', 'confirmed', 'cancelled'),
    amount: money,
    currency: field(currency),
    language: field(z.nullable(language)),
    opened_at: optionalMoment,
    cancel_reason: optionalOneOf('hold ended', 'staff', 'holder', 'refund'),
    erased_at: optionalMoment,
    ticket_type_id: optionalRef('ticket_types'),
    // The registration that began it may be gone.
    order_id: orderRef,
    code_id: optionalRef('codes'),
    discount: money,
    handed_on_at: optionalMoment,
  },
  complete: (row, { clubId }) => ({
    ...row,
    // Who has not paid yet can pay only where they registered.
    ...(row.status === 'pending' && { status: 'cancelled', cancel_reason: 'hold ended' }),
    club_id: clubId,
    search_text: searchTextOf({ name: String(row.name), email: String(row.email), phone: String(row.phone) }),
  }),
}

/** The tables, in the order in which their rows come. */
export const clubTables: readonly ClubTable[] = [
  // For the history: accounts do not move.
  {
    name: 'people',
    into: 'former_users',
    columns: { id: own('people'), full_name: text(300) },
    complete: (row, { clubId }) => ({ ...row, club_id: clubId }),
  },
  events,
  ticketTypes,
  codes,
  questions,
  { name: 'erased_answers', columns: { question_id: ref('form_questions'), answer: optionalText, count: number } },
  extras,
  {
    name: 'orders',
    // Its number is that of the registration that began it.
    columns: { id: orderRef, event_id: ref('events'), secret, created_at: moment },
    complete: (row, { clubId }) => ({ ...row, club_id: clubId }),
  },
  registrations,
  {
    name: 'former_holders',
    columns: {
      registration_id: ref('registrations'),
      qr_uuid: secret,
      name: text(300),
      email: text(254),
      handed_on_at: moment,
    },
  },
  {
    name: 'checkins',
    columns: {
      registration_id: ref('registrations'),
      event_id: ref('events'),
      status: flag,
      checkin_time: optionalMoment,
      checked_in_by: optionalText,
      device: optionalText,
      is_out: flag,
      moved_at: optionalMoment,
    },
  },
  {
    name: 'extras_purchases',
    columns: {
      id: own('extras_purchases'),
      registration_id: ref('registrations'),
      extras_id: ref('extras'),
      name: text(300),
      price: money,
      qr_uuid: secret,
      status: flag,
      scanned_at: optionalMoment,
    },
  },
  {
    name: 'purchase_units',
    columns: {
      purchase_id: ref('extras_purchases'),
      position: number,
      name: text(300),
      quantity: number,
      redeemed: number,
    },
  },
  {
    name: 'payments',
    columns: {
      id: own('payments'),
      event_id: ref('events'),
      registration_id: optionalRef('registrations'),
      amount: money,
      currency: field(currency),
      refunded: money,
      created_at: moment,
      paid_at: moment,
      dispute: optionalText,
      taken_as: optionalOneOf('cash', 'terminal', 'online'),
      taken_by: optionalText,
      taken_on: optionalText,
    },
    // This server cannot ask the bank for money that another one took: it goes back by hand.
    complete: ({ dispute, ...row }, { clubId }) => ({
      ...row,
      club_id: clubId,
      // What the bank took back in a dispute is not to be given back once more.
      refunded: dispute === 'lost' ? row.amount : row.refunded,
      key: randomUUID(),
      status: 'paid',
      is_embedded: false,
      expires_at: row.paid_at,
      taken_as: row.taken_as ?? 'online',
      taken_by: row.taken_by ?? '',
      taken_on: row.taken_on ?? '',
    }),
  },
  {
    name: 'refunds',
    columns: {
      payment_id: ref('payments'),
      amount: money,
      reason: oneOf(
        'too late',
        'staff',
        'cancelled',
        'event cancelled',
        'paid twice',
        'wrong amount',
        'at Stripe',
        'by hand',
        'taken back',
      ),
      created_at: moment,
    },
    // Where it was queued, the other server carries it out.
    complete: (row) => ({ ...row, status: 'done', run_at: row.created_at }),
  },
  {
    // What was sent, or could not be. What waits is sent by the other server.
    name: 'mails',
    columns: {
      registration_id: ref('registrations'),
      kind: oneOf(
        'ticket',
        'event changed',
        'event cancelled',
        'registration cancelled',
        'place given back',
        'refunded',
        'ticket handed on',
      ),
      recipient: optionalText,
      status: oneOf('sent', 'failed'),
      created_at: moment,
      sent_at: optionalMoment,
    },
    complete: (row, { clubId }) => ({ ...row, club_id: clubId, run_at: row.created_at, message_id: randomUUID() }),
  },
  {
    name: 'scan_conflicts',
    columns: {
      scan_id: secret,
      event_id: ref('events'),
      ticket_id: looseRef('registrations'),
      voucher: optionalText,
      code: text(100),
      scanned_at: moment,
      scanned_by: text(),
      device: text(),
      first_at: optionalMoment,
      first_by: optionalText,
      first_device: optionalText,
      noted_at: moment,
      taken_as: optionalOneOf('cash', 'terminal'),
      taken_amount: optionalMoney,
      taken_currency: field(z.nullable(currency)),
      is_money_kept: flag,
      is_taken_back: flag,
      seen_at: optionalMoment,
      seen_by: optionalText,
      walk_in: field(walkIn, (person, ids) => person && { ...person, ...wishesOf(person, ids) }),
    },
    // About somebody who is gone.
    complete: (row) => (row.ticket_id === null && row.walk_in === null ? null : row),
  },
  {
    name: 'moved_codes',
    columns: {
      event_id: ref('events'),
      kind: oneOf('ticket', 'voucher', 'order'),
      former_id: field(id),
      current_id: field(id),
    },
    complete: (row, { clubId, ids }) => {
      const to = row.kind === 'voucher' ? 'extras_purchases' : 'registrations'
      const current =
        row.kind === 'order' ? ids.mapped(to, Number(row.current_id)) : ids.known(to, Number(row.current_id))
      return current === undefined ? null : { ...row, current_id: current, club_id: clubId }
    },
  },
  {
    name: 'changes',
    columns: {
      at: moment,
      user_id: looseRef('people'),
      subject: oneOf('registration', 'checkin', 'event', 'club', 'user', 'form', 'extras'),
      subject_id: field(id),
      action: field(action),
      before: field(logged, (side, ids) => withMovedEvents(side, ids)),
      after: field(logged, (side, ids) => withMovedEvents(side, ids)),
      event_id: looseRef('events'),
      token_name: optionalText,
    },
    complete: (row, { clubId, ids }) => ({
      ...row,
      club_id: clubId,
      subject_id: subjectOf(String(row.subject), Number(row.subject_id), clubId, ids),
    }),
  },
]

/** The number of what a change was about; of what is gone, a negative one that no row has. */
function subjectOf(subject: string, former: number, clubId: number, ids: MovedIds): number {
  if (subject === 'club') return clubId
  const gone = -former
  if (subject === 'event' || subject === 'form') return ids.known('events', former) ?? gone
  if (subject === 'user') return ids.known('people', former) ?? gone
  return ids.known(subject === 'extras' ? 'extras' : 'registrations', former) ?? gone
}

const withEvents = z.looseObject({ eventIds: z.array(id) })

/** What somebody at the door may work on is logged by numbers of events. */
function withMovedEvents(side: unknown, ids: MovedIds): unknown {
  const found = z.safeParse(withEvents, side)
  if (!found.success) return side
  return { ...found.data, eventIds: found.data.eventIds.flatMap((event) => ids.known('events', event) ?? []) }
}

/** What somebody who got no place had wanted. */
function wishesOf({ others, ticketTypeId, extrasIds }: NonNullable<z.output<typeof walkIn>>, ids: MovedIds) {
  return {
    ...(others && {
      others: others.flatMap((each) => {
        const qId = ids.known('form_questions', each.qId)
        return qId === undefined ? [] : [{ ...each, qId }]
      }),
    }),
    ...(ticketTypeId != null && { ticketTypeId: ids.known('ticket_types', ticketTypeId) ?? null }),
    ...(extrasIds && { extrasIds: extrasIds.flatMap((each) => ids.known('extras', each) ?? []) }),
  }
}
