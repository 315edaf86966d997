import { type RawBuilder, sql } from 'kysely'
import type { DoorTicket, DoorVoucher, OtherTickets } from '../../contract/door.ts'
import type { RegistrationStatus } from '../../contract/registrations.ts'
import { HASH_BYTES, MARK_BYTES, SHORT_HASH_DIGITS } from '../../contract/values/ticket-codes.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden, unplanned } from '../db/planner.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'

export interface Horizon {
  next: string
  beyond: string
  base: string
}

/**
 * The transaction from which a phone must ask next time: the oldest that has not ended yet. Changes that ended before it are in the list
 * read with this snapshot; all others come (again) with the next one. `beyond` has not begun. `base` changes when a backup is restored, also a
 * copy of the database's folder: for that, it has the time at which the database server was started.
 */
export async function findHorizon(tx: Tx): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    select pg_snapshot_xmin(snapshot)::text as next, pg_snapshot_xmax(snapshot)::text as beyond,
      'registrations'::regclass::oid || ' ' || (select id from installation) || ' ' || extract(epoch from pg_postmaster_start_time()) as base
    from pg_current_snapshot() as snapshot
  `.execute(tx)
  return rows[0] ?? { next: '0', beyond: '0', base: '' }
}

/** A ticket as read for the door's list. */
export interface TicketRow extends Pick<DoorTicket, 'id' | 'name' | 'status' | 'hash' | 'short'> {
  former: DoorTicket['former'] | null
  amount: number
  currency: string
  ticketTypeId: number | null
  orderId: number | null
  others: Answer[]
  isIn: boolean | null
  checkinTime: Date | null
  checkedInBy: string | null
  device: string | null
  isOut: boolean | null
  movedAt: Date | null
}

/** The event's tickets, or those that the transactions from `since` on have changed. Their secrets are not included. */
export async function findTickets(
  tx: Tx,
  { id, hasMovedCodes }: OwnEvent,
  since: string | null,
  beyond: string,
): Promise<TicketRow[]> {
  // Rows of a restored backup have numbers of `beyond` or higher: they are in the whole list, and not new.
  const isChanged = (column: 'r' | 'c' | 'p') =>
    sql`${sql.ref(`${column}.door_xid`)} >= ${since}::xid8 and ${sql.ref(`${column}.door_xid`)} < ${beyond}::xid8`
  // As an array, since the planner expects a third of all to have changed.
  const changed = sql`and r.id = any(array(
    select r.id from registrations r where r.event_id = ${unplanned(id)} and ${isChanged('r')}
    union
    select c.registration_id from checkins c where ${isChanged('c')}
    union
    select p.registration_id from extras_purchases p where ${isChanged('p')}
  ))`
  const { rows } = await sql<TicketRow>`
    select r.id, r.name, r.status, r.amount, r.currency, r.ticket_type_id, r.order_id, r.others,
      ${hashOf(sql`r.id`, sql`r.qr_uuid`)} as hash, ${startOf(sql`r.id`, sql`r.qr_uuid`)} as short,
      ${hasMovedCodes ? formerOf('ticket', sql`r.id`, sql`r.qr_uuid`) : sql`null`} as former, c.status as is_in, c.checkin_time, c.checked_in_by, c.device, c.is_out, c.moved_at
    -- Looked up one by one: the planner may do a plain join by reading the check-ins of all events.
    from registrations r left join lateral (select * from checkins where registration_id = r.id offset 0) c on true
    where ${since === null ? sql`r.event_id` : hidden('r.event_id')} = ${id} ${since === null ? sql`` : changed}
    order by r.id
  `.execute(tx)
  return rows
}

/** A voucher as read for the door's list. */
export interface VoucherRow extends Omit<DoorVoucher, 'former'> {
  registrationId: number
  former: DoorVoucher['former'] | null
}

/** The vouchers of these tickets. Their secrets are not included either. */
export async function findVouchers(
  tx: Tx,
  { hasMovedCodes }: OwnEvent,
  registrationIds: readonly number[],
): Promise<VoucherRow[]> {
  if (registrationIds.length === 0) return []
  const { rows } = await sql<VoucherRow>`
    select p.id, p.registration_id, p.name, ${hashOf(sql`p.id`, sql`p.qr_uuid`)} as hash,
      ${startOf(sql`p.id`, sql`p.qr_uuid`)} as short, u.units,
      ${hasMovedCodes ? formerOf('voucher', sql`p.id`, sql`p.qr_uuid`) : sql`null`} as former
    from extras_purchases p, lateral (
      select jsonb_agg(jsonb_build_object('name', name, 'quantity', quantity, 'redeemed', redeemed) order by position) as units
      from purchase_units where purchase_id = p.id
    ) u
    where p.registration_id = any(${registrationIds}::int[]) order by p.id
  `.execute(tx)
  return rows
}

/** The numbers that a ticket or voucher had elsewhere; null for none. */
function formerOf(kind: 'ticket' | 'voucher', id: RawBuilder<unknown>, secret: RawBuilder<unknown>) {
  const [hash, short] = [hashOf(sql`m.former_id`, secret), startOf(sql`m.former_id`, secret)]
  return sql`(
    select jsonb_agg(jsonb_build_object('id', m.former_id, 'hash', ${hash}, 'short', ${short}))
    from moved_codes m where m.current_id = ${id} and m.kind = ${kind}
  )`
}

/** See `hashedSecret`. */
function hashOf(id: RawBuilder<unknown>, secret: RawBuilder<unknown>) {
  return sql`rtrim(encode(substr(sha256(convert_to(${id} || ' ' || ${secret}, 'UTF8')), 1, ${HASH_BYTES}), 'base64'), '=')`
}

/** See `hashedStart`. */
function startOf(id: RawBuilder<unknown>, secret: RawBuilder<unknown>) {
  return sql`left(encode(sha256(convert_to(${id} || '-' || left(${secret}::text, 8), 'UTF8')), 'hex'), ${SHORT_HASH_DIGITS})`
}

/** Tickets removed since. */
export async function findRemoved(tx: Tx, { id }: OwnEvent, since: string): Promise<number[]> {
  const { rows } = await sql<{ registrationId: number }>`
    select registration_id from removed_tickets where event_id = ${id} and door_xid >= ${since}::xid8
  `.execute(tx)
  return rows.map(({ registrationId }) => registrationId)
}

/** Whether a ticket of the event was added, removed or changed in the transactions from `since` on. */
export async function haveTicketsChanged(tx: Tx, { id }: OwnEvent, since: string): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select exists (select from registrations where event_id = ${unplanned(id)} and door_xid >= ${since}::xid8)
      or exists (select from removed_tickets where event_id = ${unplanned(id)} and door_xid >= ${since}::xid8) as changed
  `.execute(tx)
  return rows[0]?.changed ?? true
}

export async function countTickets(tx: Tx, { id }: OwnEvent): Promise<number> {
  const { count } = await tx
    .selectFrom('registrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** Somebody on the list on paper. */
export interface PaperRow {
  id: number
  qrUuid: string
  name: string
  status: 'pending' | 'confirmed'
  amount: number
  currency: string
  ticketTypeId: number | null
  isIn: boolean
  /** Those that are not used up, each with how much of it is left. */
  vouchers: { name: string; left: number; count: number }[]
}

/** Everybody who has a place, at most so many. */
export async function findForPaper(db: Db, eventId: number, limit: number): Promise<PaperRow[]> {
  const { rows } = await sql<PaperRow>`
    select r.id, r.qr_uuid, r.name, r.status, r.amount, r.currency, r.ticket_type_id, coalesce(c.status, false) as is_in,
      coalesce(v.vouchers, '[]') as vouchers
    from registrations r
    left join checkins c on c.registration_id = r.id
    left join lateral (
      select jsonb_agg(jsonb_build_object('name', p.name, 'left', u.count - u.redeemed, 'count', u.count) order by p.id) as vouchers
      from extras_purchases p, lateral (
        select coalesce(sum(quantity), 1)::int as count, coalesce(sum(redeemed), 0)::int as redeemed
        from purchase_units where purchase_id = p.id
      ) u
      where p.registration_id = r.id and not p.status
    ) v on true
    where r.event_id = ${eventId} and r.status <> 'cancelled'
    order by r.id limit ${limit}
  `.execute(db)
  return rows
}

type OtherEvent = OtherTickets['events'][number] & { id: number }

/** The club's other published events that take place within so many ms of this one, nearest first. */
export async function findEventsAround(db: Db, event: OwnEvent, ms: number, limit: number): Promise<OtherEvent[]> {
  const { rows } = await sql<OtherEvent>`
    select id, name, starts_at, time_zone from events
    where club_id = ${event.clubId} and id <> ${event.id} and status = 'published' and removed_at is null
      and ends_at >= ${new Date(event.startsAt.getTime() - ms)} and starts_at <= ${new Date(event.endsAt.getTime() + ms)}
    order by abs(extract(epoch from starts_at - ${event.startsAt}::timestamptz)), id limit ${limit}
  `.execute(db)
  return rows
}

/** The marks of these events' live tickets (see `OtherTickets`), joined, at most so many; and the secret for marks of no ticket. */
export async function findMarks(db: Db, eventIds: readonly number[], limit: number) {
  const { rows } = await sql<{ marks: Buffer; secret: string }>`
    select coalesce(string_agg(mark, ''::bytea), ''::bytea) as marks, (select id::text from installation) as secret
    from (
      select set_byte(hash, ${MARK_BYTES - 1}, get_byte(hash, ${MARK_BYTES - 1}) # (n - 1)::int) as mark
      from unnest(${eventIds}::int[]) with ordinality as e (id, n)
      join registrations r on r.event_id = e.id and r.status <> 'cancelled',
      lateral (
        select substr(sha256(convert_to(r.id || '/' || r.qr_uuid, 'UTF8')), 1, ${MARK_BYTES}) as hash
      ) h
      order by n, r.id limit ${limit}
    ) m
  `.execute(db)
  return rows[0] ?? { marks: Buffer.alloc(0), secret: '' }
}

/** A registration behind a number or code of the paper list. */
export interface PaperCodeRow {
  id: number
  qrUuid: string
  name: string
  status: RegistrationStatus
  eventId: number
  eventName: string
  isIn: boolean
  inAt: Date | null
}

/** The club's registrations with these ids. */
export async function findForCodes(db: Db, clubId: number, ids: readonly number[]): Promise<PaperCodeRow[]> {
  const { rows } = await sql<PaperCodeRow>`
    select r.id, r.qr_uuid, r.name, r.status, r.event_id, e.name as event_name, coalesce(c.status, false) as is_in,
      c.checkin_time as in_at
    -- By the ids first: joined with the events at once, PostgreSQL might walk all registrations of one.
    from (select * from registrations where id = any(${ids}::int[]) offset 0) r
    join events e on e.id = r.event_id and e.removed_at is null
    left join checkins c on c.registration_id = r.id
    where r.club_id = ${clubId}
  `.execute(db)
  return rows
}
