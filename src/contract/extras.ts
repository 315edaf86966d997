import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import * as inputTexts from '../texts/generated/voucherInput.ts'
import * as texts from '../texts/generated/vouchers.ts'
import { api } from './endpoint.ts'
import type { FieldError } from './errors.ts'
import { amount, id, idText, moment, paragraph, requiredLine, version } from './values/fields.ts'

const quantity = z
  .int({ error: fieldTexts.wholeNumber })
  .check(z.minimum(1, { error: fieldTexts.oneOrMore }), z.maximum(100, { error: fieldTexts.atMost100 }))

/** One item of a voucher's contents, such as three drinks. */
const contentItem = z.strictObject({ name: requiredLine(100, inputTexts.contentNeeded), quantity })

/** A voucher on sale. */
const extras = z.object({
  id,
  eventId: id,
  name: z.string(),
  description: z.string(),
  /** Minor unit; 0 is free. */
  price: amount,
  /** The event's currency. */
  currency: z.string(),
  content: z.array(contentItem),
  /** The stock in total; null for no limit. */
  maxQuantity: z.nullable(z.int()),
  /** How many belong to live registrations, paid or held. */
  soldCount: z.int(),
  /** How many of those sold have been used up; only in answers to staff. */
  redeemedCount: z.optional(z.int()),
  /** How many of `soldCount` are only held, because their registration is not paid yet; only in answers to staff. */
  unpaidCount: z.optional(z.int()),
  /** The prices of those sold and paid, together, in the minor unit; only in answers to staff. */
  soldAmount: z.optional(z.int()),
  version,
})
export type Extras = z.output<typeof extras>

/** A voucher bought, with its own code. Name, price and content are those of the purchase. */
export const extrasPurchase = z.object({
  id,
  registrationId: id,
  extrasId: id,
  name: z.string(),
  price: amount,
  content: z.array(z.object({ name: z.string(), quantity: z.int(), redeemed: z.int() })),
  /** UUIDv4, the voucher's secret: only in answers to its holder and its own club. */
  qrUuid: z.string(),
  /** Whether all of it has been redeemed. */
  status: z.boolean(),
  /** When something of it was last redeemed. */
  scannedAt: z.nullable(moment),
})
export type ExtrasPurchase = z.output<typeof extrasPurchase>

/** The fields staff fill in for a voucher. */
const extrasFields = z.strictObject({
  name: requiredLine(120, inputTexts.nameNeeded),
  description: paragraph(1000),
  price: amount,
  content: z.array(contentItem).check(z.maxLength(20, { error: inputTexts.mostContents })),
  maxQuantity: z.nullable(
    z
      .int({ error: fieldTexts.wholeNumber })
      .check(z.positive({ error: fieldTexts.oneOrMoreOrEmpty }), z.maximum(1_000_000)),
  ),
})
export type ExtrasFields = z.output<typeof extrasFields>

/** Maximum number of vouchers bought with one registration, of all kinds together. */
export const MOST_VOUCHERS = 100

/** The calls of visitors' pages, which load none of the others. */
export const visitorExtrasApi = api({
  getExtras: {
    method: 'GET',
    path: '/api/event/getExtras',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: "An event's vouchers on sale in their order; those of a draft only for its staff.",
    input: z.strictObject({ eventId: idText }),
    payload: z.array(extras),
  },
})

export const extrasApi = api({
  ...visitorExtrasApi,
  saveExtras: {
    method: 'POST',
    path: '/api/event/saveExtras',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['PAYMENTS_OFF', 'EDIT_CONFLICT', 'CAPACITY_BELOW_TAKEN'],
    summary: 'Add a voucher, or edit one; vouchers already bought stay as they were.',
    input: z.strictObject({
      /** With `version`, an edit is refused when somebody else saved in between. */
      payload: z.strictObject({
        id: z.optional(id),
        eventId: id,
        ...extrasFields.shape,
        version: z.optional(version),
      }),
    }),
    payload: extras,
    sentBack: { payload: extras },
  },
  sortExtras: {
    method: 'POST',
    path: '/api/event/sortExtras',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    summary: 'Put the vouchers in this order.',
    input: z.strictObject({
      payload: z.strictObject({ eventId: id, extrasIds: z.array(id).check(z.maxLength(1000)) }),
    }),
    payload: z.array(extras),
  },
  removeExtras: {
    method: 'GET',
    path: '/api/event/removeExtras',
    access: { who: 'admin', event: 'eventId', needs: 'events' },
    changes: true,
    summary: 'Take a voucher off sale; those already bought stay valid.',
    input: z.strictObject({ extrasId: idText, eventId: idText }),
    payload: extras,
  },
})

/** Errors for contents of a voucher with the same name: they could not be told apart when redeemed. */
export function validateContent(content: ExtrasFields['content']): FieldError[] {
  return content.flatMap(({ name }, index) =>
    content.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < index
      ? [{ path: `content.${index}.name`, msg: inputTexts.sameContent }]
      : [],
  )
}

/** How many of a voucher are left; null when there is no limit. */
export function vouchersLeft({ maxQuantity, soldCount }: Pick<Extras, 'maxQuantity' | 'soldCount'>): number | null {
  return maxQuantity === null ? null : Math.max(0, maxQuantity - soldCount)
}

/** A voucher's name, with its number where several of the ticket's have the same. */
export function numbered<Voucher extends { id: number; name: string }>(
  { id, name }: Voucher,
  all: readonly Voucher[],
): string {
  const same = all.filter((voucher) => voucher.name === name)
  if (same.length === 1) return name
  return texts.oneOfSeveral({ name, position: same.findIndex((voucher) => voucher.id === id) + 1, count: same.length })
}
