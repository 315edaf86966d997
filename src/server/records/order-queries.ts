import { sql } from 'kysely'
import type { Order } from '../../contract/order.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'
import { toRegistration } from './registration-queries.ts'

/** By which an order is recognized. */
export interface OrderKey {
  id: number
  eventId: number
  clubId: number
  secret: string
}

/** The order with this id, unless its event is removed. A registration made alone is an order of one, with its own id and secret. */
export async function findOrderKey(db: Db, id: number): Promise<OrderKey | undefined> {
  const { rows } = await sql<OrderKey>`
    select o.id, o.event_id, o.club_id, o.secret from (
      select id, event_id, club_id, secret from orders where id = ${id}
      union all
      select id, event_id, club_id, qr_uuid from registrations where id = ${id} and order_id is null
    ) o
    join events e on e.id = o.event_id and e.removed_at is null
  `.execute(db)
  return rows[0]
}

/** The order that has this id and this secret; null for none. */
export async function findOrderOf(
  db: Db,
  id: number,
  secret: string,
): Promise<Pick<RegistrationRow, 'clubId' | 'language'> | null> {
  const found = await findOrder(db, id)
  return found?.order.secret === secret.toLowerCase() ? found.order : null
}

/** The registrations of an order, from the first. */
export async function findRegistrationsOfOrder(db: Db, id: number): Promise<RegistrationRow[]> {
  return db
    .selectFrom('registrations')
    .selectAll()
    .where((eb) => eb.or([eb('orderId', '=', id), eb.and([eb('id', '=', id), eb('orderId', 'is', null)])]))
    .orderBy('id')
    .execute()
}

/** The same of an order that the caller holds. Somebody alone holds it by the code of the ticket, which may have changed in the meantime. */
export async function findRegistrationsOfHeld(db: Db, { id, secret }: OrderKey): Promise<RegistrationRow[]> {
  const rows = await findRegistrationsOfOrder(db, id)
  return rows.filter(({ orderId, qrUuid }) => orderId !== null || qrUuid === secret)
}

/** Whether somebody of an order gave their ticket to somebody else: whoever made the order no longer sees or changes it. */
export function isGivenAway({ orderId, handedOnAt }: Pick<RegistrationRow, 'orderId' | 'handedOnAt'>): boolean {
  return orderId !== null && handedOnAt !== null
}

/**
 * A registration as whoever made its order sees it. One that its holder gave to somebody else is no longer theirs: without its code, and
 * without what is known of the new person but the name.
 */
export function toRegistrationOfOrder(row: RegistrationRow): Registration {
  const registration = toRegistration(row)
  if (!isGivenAway(row)) return registration
  return { ...registration, qrUuid: '', registrationData: { name: row.name, email: '', phone: '', others: [] } }
}

/** An order in the contract's shape; null when none of its registrations is left. */
export function toOrder({ id, eventId, clubId, secret }: OrderKey, rows: readonly RegistrationRow[]): Order | null {
  const [first] = rows
  if (!first) return null
  const live = rows.filter(({ status }) => status !== 'cancelled')
  const pending = live.filter(({ status }) => status === 'pending')
  const { name, email, phone, currency, registrationTime, language } = first
  return {
    ...{ id, eventId, clubId, secret },
    contact: { name, email, phone },
    status: pending.length > 0 ? 'pending' : live.length > 0 ? 'confirmed' : 'cancelled',
    amount: live.reduce((sum, { amount }) => sum + amount, 0),
    discount: live.reduce((sum, { discount }) => sum + discount, 0),
    currency,
    createdAt: registrationTime,
    holdExpiresAt: pending[0]?.holdExpiresAt ?? null,
    language,
  }
}

/** An order with its registrations, from the first; undefined when it is not there. */
export async function findOrder(db: Db, id: number): Promise<{ order: Order; rows: RegistrationRow[] } | undefined> {
  const [key, rows] = await Promise.all([findOrderKey(db, id), findRegistrationsOfOrder(db, id)])
  const order = key && toOrder(key, rows)
  return order ? { order, rows } : undefined
}

/** The address of whoever made the order of this registration; empty for none. */
export async function findContactAddress(db: Db, { orderId }: Pick<RegistrationRow, 'orderId'>): Promise<string> {
  if (orderId === null) return ''
  const row = await db.selectFrom('registrations').select('email').where('id', '=', orderId).executeTakeFirst()
  return row?.email ?? ''
}

/** How many people these orders are for, of those that have a row: somebody alone has none. */
export async function countPeople(db: Db, orderIds: readonly (number | null)[]): Promise<Map<number, number>> {
  const ids = [...new Set(orderIds.flatMap((id) => id ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; count: number }>`
    select order_id as id, count(*)::int as count from registrations where order_id = any(${ids}::int[]) group by 1
  `.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Whether several people of an event were registered together. */
export async function hasOrders(db: Db, eventId: number): Promise<boolean> {
  const { rows } = await sql`select from orders where event_id = ${eventId} limit 1`.execute(db)
  return rows.length > 0
}

/** The registrations that cost nothing of the order of these, other than these. */
export async function findFreeOfOrder(db: Db, registrationIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from registrations
    where order_id in (select order_id from registrations where id = any(${registrationIds}::int[]))
      and amount = 0 and id <> all(${registrationIds}::int[])
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of these registrations that were confirmed last because of others of their order, and not by staff. */
export async function findConfirmedWithOthers(db: Db, registrationIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${registrationIds}::int[]) as asked (id)
    where 'confirmed with the order' = (
      select action from changes
      where subject = 'registration' and subject_id = asked.id and after ->> 'status' = 'confirmed' order by id desc limit 1
    )
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** The registrations of the order that this one is of, from the first, locked until the transaction ends. The event must be locked. */
export async function lockOrderOf(tx: Tx, registrationId: number): Promise<RegistrationRow[]> {
  const { rows } = await sql<RegistrationRow>`
    select r.* from registrations r
    join registrations asked on asked.id = ${registrationId} and (r.id = asked.id or r.order_id = asked.order_id)
    order by r.id for no key update of r
  `.execute(tx)
  return rows
}
