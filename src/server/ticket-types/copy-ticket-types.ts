import { onSale } from '../../contract/ticket-type.ts'
import { fieldsOfType } from '../../contract/ticket-types.ts'
import { noteCodes } from '../codes/queries.ts'
import type { EventRow, Tx } from '../db/schema.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import * as queries from './queries.ts'

/**
 * Gives a new event the ticket types that another one has on sale. The times of their sale are moved. Returns the new id of each.
 */
export async function copyTicketTypes(
  tx: Tx,
  fromEventId: number,
  event: Pick<EventRow, 'id'>,
  moved: (moment: Date) => Date,
): Promise<ReadonlyMap<number, number>> {
  const types = onSale(await findTicketTypes(tx, fromEventId))
  const own = await findTicketTypes(tx, event.id)
  const ids = new Map<number, number>()
  for (const [index, type] of types.entries()) {
    const { id, saleOpensAt, saleClosesAt } = type
    const times = { saleOpensAt: saleOpensAt && moved(saleOpensAt), saleClosesAt: saleClosesAt && moved(saleClosesAt) }
    const row = { ...fieldsOfType(type), ...times, position: index + 1 }
    // A new event has a first one already.
    const first = index === 0 ? own[0] : undefined
    if (first) await queries.updateTicketType(tx, first.id, row, false)
    ids.set(id, first?.id ?? (await queries.insertTicketType(tx, { ...row, eventId: event.id })))
  }
  await queries.storePriceRange(tx, event)
  await noteCodes(tx, event.id)
  return ids
}
