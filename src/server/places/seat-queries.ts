import { sql } from 'kysely'
import type { EventRow, RegistrationRow, Tx } from '../db/schema.ts'
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

/** Whether another of a registration's ticket type can be sold. The event's row must be locked. */
export async function hasPlaceOfType(
  tx: Tx,
  { eventId, ticketTypeId }: Pick<RegistrationRow, 'eventId' | 'ticketTypeId'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('ticketTypes')
    .select('id')
    .where('eventId', '=', eventId)
    .where((eb) => (ticketTypeId === null ? eb('isFirst', '=', true) : eb('id', '=', ticketTypeId)))
    .where((eb) => eb.or([eb('maxQuantity', 'is', null), eb('soldCount', '<', eb.ref('maxQuantity'))]))
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a seat of an event whose row is locked; false when none is left. */
export async function takeSeat(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('events')
    .set((eb) => ({ registrationCount: eb('registrationCount', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('maxAttendees', 'is', null), eb('registrationCount', '<', eb.ref('maxAttendees'))]))
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

/** Takes what a registration had bought from the stock again; false when there is not enough. The event's row must be locked. */
export async function takeVouchers(tx: Tx, registrationId: number): Promise<boolean> {
  const wanted = sql`select extras_id, count(*)::int as count from extras_purchases where registration_id = ${registrationId} group by 1`
  const { rows } = await sql`
    select from extras x join (${wanted}) w on w.extras_id = x.id where x.sold_count + w.count > x.max_quantity
  `.execute(tx)
  if (rows.length > 0) return false
  await sql`update extras x set sold_count = sold_count + w.count from (${wanted}) w where w.extras_id = x.id`.execute(
    tx,
  )
  return true
}
