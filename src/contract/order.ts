import * as z from 'zod/mini'
import { amount, id, moment } from './values/fields.ts'

/** How many people can be registered together. */
export const MOST_IN_ORDER = 20

/** One or several registrations made together. */
export const order = z.object({
  /** That of its first registration. */
  id,
  eventId: id,
  clubId: id,
  /** UUIDv4, the secret of the order's page: only in answers to whoever made it. */
  secret: z.string(),
  /** Whoever made the order: the holder of its first registration. */
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  /** `cancelled` once all of its registrations are. */
  status: z.enum(['pending', 'confirmed', 'cancelled']),
  /** Minor unit; of the registrations that are not cancelled. */
  amount,
  /** What its code took off the prices, in the minor unit; of the same registrations. */
  discount: z._default(amount, 0),
  currency: z.string(),
  createdAt: moment,
  /** Until when it keeps its seats unpaid. */
  holdExpiresAt: z.nullable(moment),
  /** The language in which it was made; null for the club's main one. */
  language: z.nullable(z.string()),
})
export type Order = z.output<typeof order>

/** Those of an order that are paid together with this one: all that wait to be paid, or all whose hold ended. */
export function paidTogetherWith<R extends { status: string; cancelReason: string | null }>(
  { status, cancelReason }: R,
  registrations: readonly R[],
): R[] {
  return registrations.filter((each) => each.status === status && each.cancelReason === cancelReason)
}

/** The first one of an order that can still be paid; those that are paid with it are `paidTogetherWith` it. */
export function firstUnpaid<R extends { status: string; cancelReason: string | null }>(
  registrations: readonly R[],
): R | undefined {
  return (
    registrations.find(({ status }) => status === 'pending') ??
    registrations.find(({ cancelReason }) => cancelReason === 'hold ended')
  )
}

/** Those of an order that can be paid now, together; none where nothing is left to pay. */
export function unpaidOf<R extends { status: string; cancelReason: string | null }>(registrations: readonly R[]): R[] {
  const first = firstUnpaid(registrations)
  return first ? paidTogetherWith(first, registrations) : []
}

/** Whether somebody was registered by another one, the contact of their order. */
export function isCompanion({ id, orderId }: { id: number; orderId: number | null }): boolean {
  return orderId !== null && orderId !== 0 && orderId !== id
}

/** The address of the page with all tickets of an order. */
export function orderUrl(baseUrl: string, { id, secret }: Pick<Order, 'id' | 'secret'>): string {
  return `${baseUrl}/order/${id}/${secret}`
}
