import * as z from 'zod/mini'
import * as texts from '../texts/generated/codeInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { amount, id, idText, line, moment, version } from './values/fields.ts'
import { foldText } from './values/fold-text.ts'

/** What a code does to the price of a ticket: takes off a part of it or an amount, or replaces it where it is higher. */
export const codeKind = z.enum(['percent', 'amount', 'price'])
export type CodeKind = z.output<typeof codeKind>

/** A lower price for those who know it, which may also open tickets that others cannot buy. */
const code = z.object({
  id,
  eventId: id,
  /** As staff wrote it; compared without case. */
  code: z.string(),
  kind: codeKind,
  /** Percent (100 is free), or minor unit of the event's currency. */
  value: z.int(),
  /** The ticket types that it is for; empty for all. */
  ticketTypeIds: z.array(id),
  /** How many people can use it; null for no limit. */
  maxUses: z.nullable(z.int()),
  /** How many live registrations have it, paid or held. */
  usedCount: z.int(),
  opensAt: z.nullable(moment),
  closesAt: z.nullable(moment),
  /** For staff only. */
  note: z.string(),
  version,
})
export type Code = z.output<typeof code>

/** A code as typed, compared without case: letters, digits, `-` and `_`. */
const codeText = z
  .string()
  .check(z.trim(), z.normalize('NFKC'), z.regex(/^[\p{L}\p{N}_-]{3,40}$/u, { error: texts.codeLike }))

/** The fields staff fill in for a code. */
const codeFields = z.strictObject({
  code: codeText,
  kind: codeKind,
  value: amount,
  ticketTypeIds: z.array(id).check(z.maxLength(100)),
  maxUses: z.nullable(
    z
      .int({ error: fieldTexts.wholeNumber })
      .check(z.positive({ error: fieldTexts.oneOrMoreOrEmpty }), z.maximum(1_000_000)),
  ),
  opensAt: z.nullable(moment),
  closesAt: z.nullable(moment),
  note: line(200),
})
export type CodeFields = z.output<typeof codeFields>

/** Maximum number of codes that an event has at the same time. */
export const MOST_CODES = 1_000

/** The calls with which staff manage an event's codes. Visitors send them with `getTicketTypes` and `initRegistration`. */
export const codeApi = api({
  getCodes: {
    method: 'GET',
    path: '/api/event/getCodes',
    access: { who: 'admin', event: 'eventId', needs: 'read' },
    summary: "An event's codes, the newest first.",
    input: z.strictObject({ eventId: idText }),
    payload: z.array(code),
  },
  saveCode: {
    method: 'POST',
    path: '/api/event/saveCode',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['EDIT_CONFLICT', 'CAPACITY_BELOW_TAKEN'],
    summary: 'Add a code, or edit one; what was bought with it keeps its price.',
    input: z.strictObject({
      /** With `version`, an edit is refused when somebody else saved in between. */
      payload: z.strictObject({
        id: z.optional(id),
        eventId: id,
        ...codeFields.shape,
        version: z.optional(version),
      }),
    }),
    payload: code,
    sentBack: { payload: code },
  },
  removeCode: {
    method: 'POST',
    path: '/api/event/removeCode',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    summary: 'Remove a code: nobody can use it any more. What was bought with it keeps its price.',
    input: z.strictObject({ payload: z.strictObject({ eventId: id, codeId: id }) }),
    payload: z.null(),
  },
})

/** A code as it is compared: without case, accents and spaces. */
export function codeKey(code: string): string {
  return foldText(code).replace(/\s/g, '')
}
