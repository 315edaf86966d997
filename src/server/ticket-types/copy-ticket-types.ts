import type { EventRow, Tx } from '../db/schema.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import * as queries from './queries.ts'

/** Gives a new event the ticket types that another one has on sale. The times of their sale are moved. */
export async function copyTicketTypes(
  tx: Tx,
  fromEventId: number,
  event: Pick<EventRow, 'id'>,
  moved: (moment: Date) => Date,
): Promise<void> {
  const types = (await findTicketTypes(tx, fromEventId)).filter(({ removedAt }) => removedAt === null)
  const own = await findTicketTypes(tx, event.id)
  for (const [index, { name, description, price, maxQuantity, saleOpensAt, saleClosesAt }] of types.entries()) {
    const times = { saleOpensAt: saleOpensAt && moved(saleOpensAt), saleClosesAt: saleClosesAt && moved(saleClosesAt) }
    const row = { name, description, price, maxQuantity, ...times, position: index + 1 }
    // A new event has a first one already.
    const first = index === 0 ? own[0] : undefined
    if (first) await queries.updateTicketType(tx, first.id, row, false)
    else await queries.insertTicketType(tx, { ...row, eventId: event.id })
  }
  await queries.storePriceRange(tx, event)
}
