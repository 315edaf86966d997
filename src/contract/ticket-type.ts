import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { amount, id, idText, moment, version } from './values/fields.ts'

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
    refuses: ['NOT_FOUND'],
    summary: "An event's ticket types in their order; for its staff, those taken off sale come last.",
    input: z.strictObject({ eventId: idText }),
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

type Sale = Pick<TicketType, 'saleOpensAt' | 'saleClosesAt'>

/** Whether a ticket type is sold at a moment; null while it is. */
export function saleState({ saleOpensAt, saleClosesAt }: Sale, now: Date): 'not yet' | 'over' | null {
  if (saleOpensAt && now < saleOpensAt) return 'not yet'
  return saleClosesAt && now >= saleClosesAt ? 'over' : null
}
