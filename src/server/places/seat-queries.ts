import { sql } from 'kysely'
import { unplanned } from '../db/planner.ts'
import type { EventRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'

/** The event's row, locked until the transaction ends: its seats and its state cannot change. */
export async function lockEvent(tx: Tx, id: number): Promise<EventRow | undefined> {
  return (await lockEvents(tx, [id]))[0]
}

/** Several events' rows, locked in the order of their ids to avoid deadlocks. */
export async function lockEvents(tx: Tx, ids: readonly number[]): Promise<EventRow[]> {
  return runStatement(tx, lockedEvents(ids))
}

/** The statement of `lockEvents`, to be sent in a pipeline. */
export const lockedEvents = statement<EventRow>(
  'lock events',
  'select * from events where id = any($1::int[]) and removed_at is null order by id for no key update',
)

/** Locks the rows of all events of a club, in the order of their ids. */
export async function lockEventsOfClub(tx: Tx, clubId: number): Promise<void> {
  await tx
    .selectFrom('events')
    .select('id')
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Finds a ticket type of which too few are left to take these cancelled registrations of an event again; returns the id of one of them with
 * that type, or null when there are enough. The event's row must be locked.
 */
export async function findWithoutTicket(tx: Tx, eventId: number, registrationIds: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select min(r.id) as id from registrations r
    join ticket_types t on t.event_id = ${eventId} and (t.id = r.ticket_type_id or t.is_first and r.ticket_type_id is null)
    where r.id = any(${registrationIds}::int[])
    group by t.id having t.sold_count + count(*) > t.max_quantity order by 1 limit 1
  `.execute(tx)
  return rows[0]?.id ?? null
}

/** The same for the uses of a code. */
export async function findWithoutCode(tx: Tx, registrationIds: readonly number[]): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select min(r.id) as id from registrations r join codes c on c.id = r.code_id
    where r.id = any(${registrationIds}::int[])
    group by c.id having c.used_count + count(*) > c.max_uses order by 1 limit 1
  `.execute(tx)
  return rows[0]?.id ?? null
}

/** The same for the tickets that a member may have. */
export async function findBeyondMember(
  tx: Tx,
  eventId: number,
  registrationIds: readonly number[],
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select min(r.id) filter (where r.id = any(${registrationIds}::int[])) as id
    from registrations r
    join ticket_types t on t.event_id = ${eventId} and (t.id = r.ticket_type_id or t.is_first and r.ticket_type_id is null)
    where r.event_id = ${unplanned(eventId)} and (r.status <> 'cancelled' or r.id = any(${registrationIds}::int[]))
      and r.member in (select member from registrations where id = any(${registrationIds}::int[]))
    group by t.id, r.member having count(*) > t.max_per_member and bool_or(r.id = any(${registrationIds}::int[]))
    order by 1 limit 1
  `.execute(tx)
  return rows[0]?.id ?? null
}

/** Takes seats of an event whose row is locked; false, and none is taken, when there are too few. */
export async function takeSeats(tx: Tx, id: number, count: number): Promise<boolean> {
  const row = await tx
    .updateTable('events')
    .set((eb) => ({ registrationCount: eb('registrationCount', '+', count) }))
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('maxAttendees', 'is', null),
        eb(eb(eb('registrationCount', '+', eb.ref('walkInPlaces')), '+', count), '<=', eb.ref('maxAttendees')),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function freeSeats(tx: Tx, id: number, count: number): Promise<void> {
  await tx
    .updateTable('events')
    .set((eb) => ({ registrationCount: eb('registrationCount', '-', count) }))
    .where('id', '=', id)
    .execute()
}

/** Takes what registrations had bought from the stock again; false when there is not enough. The event's row must be locked. */
export async function takeVouchers(tx: Tx, registrationIds: readonly number[]): Promise<boolean> {
  const wanted = sql`
    select extras_id, count(*)::int as count from extras_purchases where registration_id = any(${registrationIds}::int[]) group by 1
  `
  const { rows } = await sql`
    select from extras x join (${wanted}) w on w.extras_id = x.id where x.sold_count + w.count > x.max_quantity
  `.execute(tx)
  if (rows.length > 0) return false
  await sql`update extras x set sold_count = sold_count + w.count from (${wanted}) w where w.extras_id = x.id`.execute(
    tx,
  )
  return true
}
