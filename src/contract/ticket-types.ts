import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import * as texts from '../texts/generated/ticketTypeInput.ts'
import { api } from './endpoint.ts'
import type { FieldError } from './errors.ts'
import { validatePrice } from './events.ts'
import { MOST_IN_ORDER } from './order.ts'
import { ticketAccess, ticketType, visitorTicketTypeApi } from './ticket-type.ts'
import { amount, id, moment, paragraph, requiredLine } from './values/fields.ts'

const upTo20 = () => texts.upTo({ most: MOST_IN_ORDER })
const perOrder = z
  .int({ error: upTo20 })
  .check(z.minimum(1, { error: upTo20 }), z.maximum(MOST_IN_ORDER, { error: upTo20 }))

/** The fields staff fill in for a ticket type. */
const ticketTypeFields = z.strictObject({
  name: requiredLine(120, texts.nameNeeded),
  description: paragraph(1000),
  price: amount,
  maxQuantity: z.nullable(
    z
      .int({ error: fieldTexts.wholeNumber })
      .check(z.positive({ error: fieldTexts.oneOrMoreOrEmpty }), z.maximum(1_000_000)),
  ),
  minPerOrder: perOrder,
  maxPerOrder: z.nullable(perOrder),
  saleOpensAt: z.nullable(moment),
  saleClosesAt: z.nullable(moment),
  access: ticketAccess,
  maxPerMember: perOrder,
})
export type TicketTypeFields = z.output<typeof ticketTypeFields>

/** The fields that staff fill in, without what else a ticket type has. */
export function fieldsOfType(type: TicketTypeFields): TicketTypeFields {
  const { name, description, price, maxQuantity, minPerOrder, maxPerOrder, saleOpensAt, saleClosesAt } = type
  const { access, maxPerMember } = type
  return {
    ...{ name, description, price, maxQuantity, minPerOrder, maxPerOrder, saleOpensAt, saleClosesAt },
    ...{ access, maxPerMember },
  }
}

/** Defaults of a new ticket type. */
export const newTicketType = {
  description: '',
  price: 0,
  maxQuantity: null,
  minPerOrder: 1,
  maxPerOrder: null,
  saleOpensAt: null,
  saleClosesAt: null,
  access: 'public',
  maxPerMember: 1,
} as const satisfies Partial<TicketTypeFields>

/** Maximum number of ticket types that an event sells. */
const MOST_TICKET_TYPES = 30

export const ticketTypeApi = api({
  ...visitorTicketTypeApi,
  saveTicketTypes: {
    method: 'POST',
    path: '/api/event/saveTicketTypes',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['EDIT_CONFLICT', 'CAPACITY_BELOW_TAKEN', 'PAYMENTS_OFF'],
    summary:
      'All ticket types of an event in their order, in one step. One with an id stays as it is but for the fields given; one that is left out is taken off sale, and its tickets stay valid. With `putBack`, one that was taken off sale is sold again.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        ticketTypes: z
          .array(
            z.strictObject({
              id: z.optional(id),
              /** Sells one that was taken off sale again; refused without this. */
              putBack: z.optional(z.literal(true)),
              ...z.partial(ticketTypeFields).shape,
            }),
          )
          .check(
            z.minLength(1, { error: texts.oneNeeded }),
            z.maxLength(MOST_TICKET_TYPES, { error: () => texts.mostTypes({ most: MOST_TICKET_TYPES }) }),
          ),
        /** The types on sale in their order, with their versions, as the caller saw them; refused with EDIT_CONFLICT when they have changed since. */
        seen: z.optional(z.array(z.strictObject({ id, version: z.int() })).check(z.maxLength(MOST_TICKET_TYPES))),
      }),
    }),
    payload: z.array(ticketType),
    sentBack: { 'payload.ticketTypes': ticketType },
  },
})

/** The errors in an event's ticket types; paths begin with their index. */
export function validateTicketTypes(types: readonly TicketTypeFields[], currency: string): FieldError[] {
  return types.flatMap(({ name, price, minPerOrder, maxPerOrder, saleOpensAt, saleClosesAt }, index) => {
    const wrong: FieldError[] = []
    const isSame = (other: TicketTypeFields) => other.name.toLowerCase() === name.toLowerCase()
    if (types.findIndex(isSame) < index) wrong.push({ path: `${index}.name`, msg: texts.sameName })
    const wrongPrice = validatePrice(price, currency)
    if (wrongPrice !== null) wrong.push({ path: `${index}.price`, msg: wrongPrice })
    if (maxPerOrder !== null && maxPerOrder < minPerOrder)
      wrong.push({ path: `${index}.maxPerOrder`, msg: texts.mostBelowLeast })
    if (saleOpensAt && saleClosesAt && saleClosesAt <= saleOpensAt)
      wrong.push({ path: `${index}.saleClosesAt`, msg: texts.closesBeforeOpening })
    return wrong
  })
}
