import { type Insertable, sql, type Updateable } from 'kysely'
import { unplanned } from '../db/planner.ts'
import type { EventRow, Tx } from '../db/schema.ts'
import type { TicketTypeTable } from '../db/tables/events.ts'

/** Returns its id. */
export async function insertTicketType(tx: Tx, row: Insertable<TicketTypeTable>): Promise<number> {
  return (await tx.insertInto('ticketTypes').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Counts the version up only where more than its place changes. */
export async function updateTicketType(
  tx: Tx,
  id: number,
  edit: Updateable<TicketTypeTable>,
  isEdited: boolean,
): Promise<void> {
  await tx
    .updateTable('ticketTypes')
    .set((eb) => ({ ...edit, ...(isEdited && { version: eb('version', '+', 1) }) }))
    .where('id', '=', id)
    .execute()
}

/** Takes types off sale. One that nobody ever had and no question or code names is deleted, unless it is the first one. */
export async function retireTicketTypes(tx: Tx, eventId: number, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.updateTable('ticketTypes').set({ removedAt: now }).where('id', 'in', ids).execute()
  await sql`
    delete from ticket_types t where t.id = any(${ids}::int[]) and not t.is_first
      and not exists (select from registrations r where r.event_id = ${unplanned(eventId)} and r.ticket_type_id = t.id)
      and not exists (select from codes c where c.event_id = ${eventId} and t.id = any(c.ticket_type_ids))
      and not exists (select from form_questions q where q.event_id = ${eventId} and t.id = any(q.ticket_type_ids))
  `.execute(tx)
}

/** Notes the lowest and the highest price of the types on sale to everybody, or of all where there are none, at their event: an edit of it, which somebody else's must not undo. */
export async function storePriceRange(tx: Tx, { id }: Pick<EventRow, 'id'>): Promise<void> {
  await sql`
    update events e set ticket_price = p.lowest, ticket_price_to = p.highest, version = e.version + 1
    from (
      select coalesce(min(price) filter (where access = 'public'), min(price)) as lowest,
        coalesce(max(price) filter (where access = 'public'), max(price)) as highest
      from ticket_types where event_id = ${id} and removed_at is null
    ) p
    where e.id = ${id} and (e.ticket_price, e.ticket_price_to) is distinct from (p.lowest, p.highest)
  `.execute(tx)
}
