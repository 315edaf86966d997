import * as z from 'zod/mini'
import { codeKind } from '../../contract/codes.ts'
import { phoneField } from '../../contract/phone-field.ts'
import { currency, timeZone } from '../../contract/values/account-fields.ts'
import { line, paragraph, requiredLine, typeId } from '../../contract/values/fields.ts'
import { keepDays } from '../../contract/values/keep-days.ts'
import type { ClubTable } from './club-table.ts'
import {
  type Field,
  field,
  flag,
  longText,
  moment,
  money,
  name,
  number,
  oneOf,
  optionalMoment,
  optionalNumber,
  own,
  ratio,
  ref,
  refs,
  text,
} from './fields.ts'

const name200 = requiredLine(200)
const items = z
  .array(z.strictObject({ name: requiredLine(300), quantity: z.int().check(z.minimum(1), z.maximum(100_000)) }))
  .check(z.maxLength(100))
const dictionary = z.record(line(20), z.record(z.string().check(z.maxLength(20_000)), paragraph(20_000)))
/** Translations stand by their text; where they stood is noted by numbers, but for these two. */
const places: Field = field(dictionary, (all) =>
  Object.fromEntries(
    Object.entries(all).map(([tongue, { name, description }]) => [
      tongue,
      { ...(name !== undefined && { name }), ...(description !== undefined && { description }) },
    ]),
  ),
)

export const events: ClubTable = {
  name: 'events',
  columns: {
    id: own('events'),
    name: name(160),
    description: longText,
    location: text(300),
    starts_at: moment,
    ends_at: moment,
    time_zone: field(timeZone),
    max_attendees: optionalNumber,
    max_per_email: number,
    ticket_price: money,
    ticket_price_to: money,
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
    keep_days: field(z.nullable(keepDays)),
    erased_at: optionalMoment,
    codes: oneOf('none', 'prices', 'tickets'),
    translations: field(dictionary),
    translated_places: places,
    created_at: moment,
  },
  complete: (row, { clubId }) => ({ ...row, club_id: clubId, has_moved_codes: true }),
}

export const ticketTypes: ClubTable = {
  name: 'ticket_types',
  columns: {
    id: own('ticket_types'),
    event_id: ref('events'),
    name: name(300),
    description: longText,
    price: money,
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

export const codes: ClubTable = {
  name: 'codes',
  columns: {
    id: own('codes'),
    event_id: ref('events'),
    code: name(100),
    key: name(100),
    kind: field(codeKind),
    value: money,
    ticket_type_ids: refs('ticket_types'),
    max_uses: optionalNumber,
    opens_at: optionalMoment,
    closes_at: optionalMoment,
    note: text(1000),
    created_at: moment,
    removed_at: optionalMoment,
  },
}

export const questions: ClubTable = {
  name: 'form_questions',
  columns: {
    id: own('form_questions'),
    event_id: ref('events'),
    type_id: field(typeId),
    text: name(300),
    required: flag,
    options: field(z.array(name200).check(z.maxLength(100))),
    position: number,
    show_at_door: flag,
    ticket_type_ids: refs('ticket_types'),
    asked_of: oneOf('attendee', 'order'),
    removed_at: optionalMoment,
  },
}

export const extras: ClubTable = {
  name: 'extras',
  columns: {
    id: own('extras'),
    event_id: ref('events'),
    name: name(300),
    description: longText,
    price: money,
    content: field(items),
    max_quantity: optionalNumber,
    position: number,
    removed_at: optionalMoment,
  },
}
