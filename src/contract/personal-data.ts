import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { registrationStatus } from './registrations.ts'
import { id, idText, moment, requiredLine } from './values/fields.ts'

/** The most records that one search finds, and one call takes. */
export const MOST_RECORDS = 100

/** Names a record: its kind, and its id or, of a former holder, the registration and when they gave it away (ms since 1970). */
const recordKey = z
  .string()
  .check(
    z.regex(
      /^((registration|code):[1-9]\d{0,8}|holder:[1-9]\d{0,8}:\d{1,14}|conflict:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    ),
  )

const keysText = z.codec(
  z.string().check(z.maxLength(60 * MOST_RECORDS)),
  z.array(recordKey).check(z.maxLength(MOST_RECORDS)),
  {
    decode: (text) => text.split(','),
    encode: (keys) => keys.join(','),
  },
)

/** Something that the club keeps about a person. */
const personalRecord = z.object({
  key: z.string(),
  /**
   * A registration; a ticket that they gave to somebody else; what a phone at the door noted of somebody who got no place; or the note of a
   * code, which is its name.
   */
  kind: z.enum(['registration', 'holder', 'conflict', 'code']),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  eventId: id,
  eventName: z.string(),
  timeZone: z.string(),
  /** When they registered, gave the ticket away, or came to the door, or the code was made. */
  at: moment,
  /** Of a registration; null for all else. */
  status: z.nullable(registrationStatus),
  /**
   * Why it cannot be deleted now. `upcoming`: a place at an event that is not over. `order`: others whom they registered have such places.
   * `paid`: they paid for such a place, and may get the money back. `money`: a payment or refund is not settled. `mail`: they are still to
   * get a mail.
   */
  kept: z.nullable(z.enum(['upcoming', 'order', 'paid', 'money', 'mail'])),
})
export type PersonalRecord = z.output<typeof personalRecord>

/** What a club keeps about one person, across its events: to tell them, or to delete it. */
export const personalDataApi = api({
  findRecords: {
    method: 'GET',
    path: '/api/personalData/findRecords',
    access: { who: 'admin', club: 'clubId', needs: 'attendees' },
    summary: `What the club keeps about people whose name, e-mail address or phone number fits the search, latest first, ${MOST_RECORDS} at most.`,
    input: z.strictObject({ clubId: idText, search: requiredLine(200) }),
    payload: z.object({
      records: z.array(personalRecord),
      /** Whether there are more, so that the search has to be narrowed down. */
      hasMore: z.boolean(),
    }),
  },
  downloadRecords: {
    method: 'GET',
    path: '/api/personalData/downloadRecords',
    access: { who: 'admin', club: 'clubId', needs: 'attendees' },
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    summary:
      'All that is kept in these records, as a spreadsheet for the person: answers, payments, check-ins, vouchers, mails.',
    input: z.strictObject({ clubId: idText, keys: keysText }),
    payload: z.null(),
  },
  deleteRecords: {
    method: 'POST',
    path: '/api/personalData/deleteRecords',
    access: { who: 'admin', club: 'payload.clubId', needs: 'attendees', fresh: true },
    summary:
      'Delete the personal data in these records for good. Counts and amounts stay. Those that have to be kept for now stay as they are.',
    input: z.strictObject({
      payload: z.strictObject({
        clubId: id,
        keys: z.array(recordKey).check(z.minLength(1), z.maxLength(MOST_RECORDS)),
      }),
    }),
    payload: z.object({
      /** How many records are deleted, also those that were before. */
      deleted: z.int(),
      /** Those that could not be deleted. */
      kept: z.array(personalRecord),
    }),
  },
})
