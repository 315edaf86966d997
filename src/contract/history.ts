import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { id, idText, moment } from './values/fields.ts'

/** What the history can be narrowed to. */
export const historySubjects = [
  'events',
  'forms',
  'vouchers',
  'attendees',
  'check-ins',
  'money',
  'team',
  'club',
] as const
export type HistorySubject = (typeof historySubjects)[number]

/** Who did it: the id of a person, or the operator. */
const person = z.string().check(z.regex(/^(operator|[1-9]\d{0,8})$/))

/** The filters of a club's history. */
const historyFilters = z.strictObject({
  clubId: idText,
  by: z.optional(person),
  eventId: z.optional(idText),
  subject: z.optional(z.enum(historySubjects)),
})

/** One thing that changed, in words. */
const historyChange = z.object({
  field: z.string(),
  /** Null where there was nothing before, or it is not kept. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type HistoryChange = z.output<typeof historyChange>

const historyEntry = z.object({
  id: z.int(),
  at: moment,
  /** The person's name, or what the operator is called. */
  by: z.string(),
  /** What was done, in words. */
  action: z.string(),
  /** Whom or what it was done to, such as an attendee or a voucher; empty where the action or the event says it. */
  about: z.string(),
  /** The event it belongs to; the name is empty when it is not known any more. */
  event: z.nullable(z.object({ id, name: z.string(), isThere: z.boolean() })),
  /** The attendee it is about, if there still is one. */
  registrationId: z.nullable(id),
  changes: z.array(historyChange),
})
export type HistoryEntry = z.output<typeof historyEntry>

/** How many entries a page of the history has. */
export const HISTORY_PAGE = 50

export const historyApi = api({
  getHistory: {
    method: 'GET',
    path: '/api/history/getHistory',
    access: { who: 'admin', club: 'clubId', needs: 'events' },
    summary: `What people changed in a club, latest first, ${HISTORY_PAGE} at a time; \`before\` is the id to go on from.`,
    input: z.extend(historyFilters, {
      before: z.optional(
        z.codec(z.string().check(z.regex(/^[1-9]\d{0,14}$/)), z.int(), { decode: Number, encode: String }),
      ),
    }),
    payload: z.object({
      entries: z.array(historyEntry),
      /** The club's zone, in which days and times are shown. */
      timeZone: z.string(),
      /** What to send as `before` for earlier ones; null at the end. */
      next: z.nullable(z.int()),
    }),
  },
  getPeople: {
    method: 'GET',
    path: '/api/history/getPeople',
    access: { who: 'admin', club: 'clubId', needs: 'events' },
    summary: 'Whose changes a club’s history can be narrowed to: the team, and those who have left it.',
    input: z.strictObject({ clubId: idText }),
    payload: z.array(z.object({ id, name: z.string(), hasLeft: z.boolean() })),
  },
  downloadHistory: {
    method: 'GET',
    path: '/api/history/downloadHistory',
    access: { who: 'admin', club: 'clubId', needs: 'events' },
    file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    summary: 'The history as a spreadsheet: all that the filters find.',
    input: historyFilters,
    payload: z.null(),
  },
})
