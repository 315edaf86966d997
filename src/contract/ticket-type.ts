import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { amount, id, idText, line, moment, version } from './values/fields.ts'

/** Who can buy a ticket: everybody, whoever has a code for it, or members of the club. */
export const ticketAccess = z.enum(['public', 'code', 'member'])
export type TicketAccess = z.output<typeof ticketAccess>

/** A kind of ticket that an event sells. */
export const ticketType = z.object({
  id,
  eventId: id,
  name: z.string(),
  description: z.string(),
  /** Minor unit of the event's currency; 0 is free. */
  price: amount,
  /** How many there are of it, besides the event's places; null for no limit of its own. */
  maxQuantity: z.nullable(z.int()),
  /** How many an order has of it at least, if it has any, and at most; null for no limit but that of every order. */
  minPerOrder: z._default(z.int(), 1),
  maxPerOrder: z._default(z.nullable(z.int()), null),
  /** How many belong to live registrations, paid or held. */
  soldCount: z.int(),
  /** From when and until when it is sold; null for as long as registration is open. */
  saleOpensAt: z.nullable(moment),
  saleClosesAt: z.nullable(moment),
  /** Visitors are not told of those that need a code, unless they have it. */
  access: z._default(ticketAccess, 'public'),
  /** How many of it a member may have, where it is for members. */
  maxPerMember: z._default(z.int(), 1),
  /** What it costs with the code that was sent with the question; null where the code leaves its price as it is, and without one. */
  codePrice: z._default(z.nullable(amount), null),
  position: z.int(),
  /** When staff took it off sale. Only staff are told of those. */
  removedAt: z.nullable(moment),
  version,
})
export type TicketType = z.output<typeof ticketType>

/** The ticket type of a registration. */
export const typeOfTicket = z.object({ id, name: z.string() })
export type TypeOfTicket = z.output<typeof typeOfTicket>

/** The calls of visitors' pages, which load none of the others. */
export const visitorTicketTypeApi = api({
  getTicketTypes: {
    method: 'GET',
    path: '/api/event/getTicketTypes',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND', 'CODE_NOT_VALID'],
    summary:
      "An event's ticket types in their order; for its staff, those taken off sale come last. With a code, also those that it opens, and what it makes of the prices.",
    input: z.strictObject({ eventId: idText, code: z.optional(line(100)) }),
    payload: z.array(ticketType),
  },
})

/** Those on sale, in their order; staff are told of the others too. */
export const onSale = <T extends Pick<TicketType, 'removedAt'>>(types: readonly T[]): T[] =>
  types.filter(({ removedAt }) => removedAt === null)

/** How many of a ticket type are left; null when it has no limit of its own. */
export function ticketsLeft({ maxQuantity, soldCount }: Pick<TicketType, 'maxQuantity' | 'soldCount'>): number | null {
  return maxQuantity === null ? null : Math.max(0, maxQuantity - soldCount)
}

/** What a ticket costs whoever has sent this code, or none. */
export const priceOf = ({ price, codePrice }: Pick<TicketType, 'price' | 'codePrice'>): number => codePrice ?? price

type Sale = Pick<TicketType, 'saleOpensAt' | 'saleClosesAt'>

/** Whether a ticket type is sold at a moment; null while it is. */
export function saleState({ saleOpensAt, saleClosesAt }: Sale, now: Date): 'not yet' | 'over' | null {
  if (saleOpensAt && now < saleOpensAt) return 'not yet'
  return saleClosesAt && now >= saleClosesAt ? 'over' : null
}
