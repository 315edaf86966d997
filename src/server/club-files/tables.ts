import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { codeKind } from '../../contract/codes.ts'
import { phoneField } from '../../contract/phone-field.ts'
import { currency, language, timeZone } from '../../contract/values/account-fields.ts'
import { id, line, paragraph } from '../../contract/values/fields.ts'
import { searchTextOf } from '../places/place-queries.ts'
import {
  type Field,
  field,
  flag,
  longText,
  looseRef,
  moment,
  number,
  oneOf,
  optionalMoment,
  optionalNumber,
  optionalOneOf,
  optionalRef,
  optionalText,
  own,
  ratio,
  ref,
  refs,
  secret,
  text,
} from './fields.ts'
import type { MovedIds } from './moved-ids.ts'

/** A table of which a club's file has rows. */
export interface ClubTable {
  /** As the file calls it. */
  name: string
  /** The table that they come into, if it is called otherwise. */
  into?: string
  /** The columns in the file. */
  columns: Readonly<Record<string, Field>>
  /** Adds what the file does not have, or changes what is stored otherwise. */
  complete?: (row: Record<string, unknown>, where: { clubId: number; ids: MovedIds }) => Record<string, unknown> | null
}

const answers = z.array(
  z.strictObject({
    qId: id,
    question: z.string().check(z.maxLength(1000)),
    answer: z.union([paragraph(20_000), z.array(line(1000))]),
  }),
)
const items = z.array(z.strictObject({ name: line(300), quantity: z.int().check(z.minimum(1), z.maximum(100_000)) }))
const dictionary = z.record(line(20), z.record(z.string().check(z.maxLength(20_000)), paragraph(20_000)))
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
/** What was before or after a change; read with care wherever it is shown. */
const logged = z.nullable(z.unknown())

/** Translations stand by their text; where they stood is noted by numbers, but for these two. */
const places: Field = field(dictionary, (all) =>
  Object.fromEntries(
    Object.entries(all).map(([tongue, { name, description }]) => [
      tongue,
      { ...(name !== undefined && { name }), ...(description !== undefined && { description }) },
    ]),
  ),
)

const events: ClubTable = {
  name: 'events',
  columns: {
    id: own('events'),
    name: text(160),
    description: longText,
    location: text(300),
    starts_at: moment,
    ends_at: moment,
    time_zone: field(timeZone),
    max_attendees: optionalNumber,
    max_per_email: number,
    ticket_price: number,
    ticket_price_to: number,
    currency: field(currency),
    banner: text(100),
    banner_ratio: ratio,
    registration_opens_at: optionalMoment,
    registration_closes_at: optionalMoment,
    corrections_until: optionalMoment,
    allows_hand_on: flag,
    allows_reentry: flag,
    phone_field: field(phoneField),
    status: oneOf('draft', 'published', 'cancelled'),
    keep_days: optionalNumber,
    erased_at: optionalMoment,
    codes: oneOf('none', 'prices', 'tickets'),
    translations: field(dictionary),
    translated_places: places,
    created_at: moment,
  },
  complete: (row, { clubId }) => ({ ...row, club_id: clubId, has_moved_codes: true }),
}

const ticketTypes: ClubTable = {
  name: 'ticket_types',
  columns: {
    id: own('ticket_types'),
    event_id: ref('events'),
    name: text(300),
    description: longText,
    price: number,
    max_quantity: optionalNumber,
    min_per_order: number,
    max_per_order: optionalNumber,
    sale_opens_at: optionalMoment,
    sale_closes_at: optionalMoment,
    position: number,
    access: oneOf('public', 'code', 'member'),
    max_per_member: number,
    is_first: flag,
    removed_at: optionalMoment,
  },
}

const codes: ClubTable = {
  name: 'codes',
  columns: {
    id: own('codes'),
    event_id: ref('events'),
    code: text(100),
    key: text(100),
    kind: field(codeKind),
    value: number,
    ticket_type_ids: refs('ticket_types'),
    max_uses: optionalNumber,
    opens_at: optionalMoment,
    closes_at: optionalMoment,
    note: text(1000),
    created_at: moment,
    removed_at: optionalMoment,
  },
}

const questions: ClubTable = {
  name: 'form_questions',
  columns: {
    id: own('form_questions'),
    event_id: ref('events'),
    type_id: number,
    text: text(1000),
    required: flag,
    options: field(z.array(line(1000))),
    position: number,
    show_at_door: flag,
    ticket_type_ids: refs('ticket_types'),
    asked_of: oneOf('attendee', 'order'),
    removed_at: optionalMoment,
  },
}

const extras: ClubTable = {
  name: 'extras',
  columns: {
    id: own('extras'),
    event_id: ref('events'),
    name: text(300),
    description: longText,
    price: number,
    content: field(items),
    max_quantity: optionalNumber,
    position: number,
    removed_at: optionalMoment,
  },
}

const registrations: ClubTable = {
  name: 'registrations',
  columns: {
    id: own('registrations'),
    event_id: ref('events'),
    qr_uuid: secret,
    name: text(),
    email: text(),
    phone: text(),
    // Questions that were deleted for good have no number here either.
    others: field(answers, (all, ids) => all.map((each) => ({ ...each, qId: ids.of('form_questions', each.qId) }))),
    registration_time: moment,
    status: oneOf('pending', 'confirmed', 'cancelled'),
    amount: number,
    currency: field(currency),
    language: field(z.nullable(language)),
    opened_at: optionalMoment,
    cancel_reason: optionalOneOf('hold ended', 'staff', 'holder', 'refund'),
    erased_at: optionalMoment,
    ticket_type_id: optionalRef('ticket_types'),
    // The registration that began it may be gone.
    order_id: looseRef('registrations'),
    code_id: optionalRef('codes'),
    discount: number,
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
    columns: { id: looseRef('registrations'), event_id: ref('events'), secret, created_at: moment },
    complete: (row, { clubId }) => ({ ...row, club_id: clubId }),
  },
  registrations,
  {
    name: 'former_holders',
    columns: {
      registration_id: ref('registrations'),
      qr_uuid: secret,
      name: text(),
      email: text(),
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
      price: number,
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
      amount: number,
      currency: field(currency),
      refunded: number,
      created_at: moment,
      paid_at: moment,
      taken_as: optionalOneOf('cash', 'terminal', 'online'),
      taken_by: optionalText,
      taken_on: optionalText,
    },
    // This server cannot ask the bank for money that another one took: it goes back by hand.
    complete: (row, { clubId }) => ({
      ...row,
      club_id: clubId,
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
      amount: number,
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
      taken_amount: optionalNumber,
      taken_currency: field(z.nullable(currency)),
      is_money_kept: flag,
      seen_at: optionalMoment,
      seen_by: optionalText,
      walk_in: field(walkIn, (person, ids) => person && { ...person, ...wishesOf(person, ids) }),
    },
  },
  {
    name: 'moved_codes',
    columns: {
      event_id: ref('events'),
      kind: oneOf('ticket', 'voucher', 'order'),
      former_id: number,
      current_id: field(id),
    },
    complete: (row, { clubId, ids }) => {
      const to = row.kind === 'voucher' ? 'extras_purchases' : 'registrations'
      const current = ids.known(to, Number(row.current_id))
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
      action: text(100),
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

/** The number of what a change was about, which may be gone. */
function subjectOf(subject: string, former: number, clubId: number, ids: MovedIds): number {
  if (subject === 'club') return clubId
  if (subject === 'event' || subject === 'form') return ids.of('events', former)
  if (subject === 'user') return ids.of('people', former)
  return ids.of(subject === 'extras' ? 'extras' : 'registrations', former)
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
