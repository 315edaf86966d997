import { sql } from 'kysely'
import { actingToken } from '../acting-token.ts'
import { isDue, tooFarAhead } from '../db/is-due.ts'
import { isEventThere } from '../db/planner.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'
import { HOLD_MS } from './hold.ts'

/** Events with a hold that has ended. */
export async function findEventsWithEndedHolds(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('registrations')
    .select('eventId')
    .distinct()
    .where('status', '=', 'pending')
    .where(isDue('holdExpiresAt', now, HOLD_MS))
    .where(isEventThere)
    .execute()
  return rows.map(({ eventId }) => eventId)
}

type Live = Pick<RegistrationRow, 'id' | 'status'>

interface Release {
  reason: NonNullable<RegistrationRow['cancelReason']>
  /** The action in the log. */
  action: string
  /** Null when a visitor or the server itself did it. */
  userId: number | null
}

/**
 * Cancels live registrations of locked events in one statement, and releases all that they held: their seats and vouchers are free again,
 * Stripe is to be asked to end their sessions, and the log records it. The only way to release a place; money and mails are the caller's
 * responsibility. Those of an order that are left with nothing to pay get their tickets. Returns the updated rows, in the order of their ids.
 */
export async function releasePlaces(
  tx: Tx,
  live: readonly Live[],
  { reason, action, userId }: Release,
  now: Date,
): Promise<RegistrationRow[]> {
  if (live.length === 0) return []
  const { rows } = await sql<RegistrationRow>`
    with live as (
      select * from unnest(${live.map(({ id }) => id)}::int[], ${live.map(({ status }) => status)}::text[]) as l (id, status)
    ),
    released as (
      update registrations r set status = 'cancelled', cancel_reason = ${reason}, hold_expires_at = null
      from live where r.id = live.id
      returning r.*
    ),
    seats as (
      update events e set registration_count = registration_count - freed.count
      from (select event_id, count(*)::int as count from released group by 1) freed where e.id = freed.event_id
    ),
    stock as (
      update extras x set sold_count = sold_count - freed.count
      from (
        select extras_id, count(*)::int as count from extras_purchases where registration_id in (select id from live) group by 1
      ) freed
      where x.id = freed.extras_id
    ),
    sessions as (
      update payments set ask_at = ${now} where status in ('starting', 'open') and id in (
        select coalesce(lead_id, id) from payments where registration_id in (select id from live) and status in ('starting', 'open')
      )
    ),
    log as (
      insert into changes (at, club_id, user_id, subject, subject_id, action, before, after, token_name)
      select ${now}, r.club_id, ${userId}::int, 'registration', r.id, ${action},
        jsonb_build_object('status', live.status), jsonb_build_object('status', r.status), ${actingToken()}::text
      from released r join live on live.id = r.id order by r.id
    )
    select * from released order by id
  `.execute(tx)
  const orders = rows.flatMap(({ orderId }) => orderId ?? [])
  if (orders.length > 0 && reason !== 'hold ended') await confirmWithNothingToPay(tx, orders, now)
  return rows
}

/** Confirms the unpaid registrations of these orders when nobody of the order is left who has something to pay. */
async function confirmWithNothingToPay(tx: Tx, orderIds: readonly number[], now: Date): Promise<void> {
  await sql`
    with confirmed as (
      update registrations r set status = 'confirmed', hold_expires_at = null
      where r.order_id = any(${orderIds}::int[]) and r.status = 'pending' and not exists (
        select from registrations o where o.order_id = r.order_id and o.status = 'pending' and o.amount > 0
      ) and exists (select from events e where e.id = r.event_id and e.status = 'published' and e.ends_at > ${now})
      returning r.*
    ),
    ticket_mails as (
      insert into mails (club_id, registration_id, kind, run_at, created_at)
      select club_id, id, 'ticket', ${now}, ${now} from confirmed where email <> '' order by id
    )
    insert into changes (at, club_id, user_id, subject, subject_id, action, before, after)
    select ${now}, club_id, null, 'registration', id, 'confirmed with the order', '{"status": "pending"}', '{"status": "confirmed"}'
    from confirmed order by id
  `.execute(tx)
}

/** The same for one registration. */
export async function releasePlace(tx: Tx, live: Live, release: Release, now: Date): Promise<RegistrationRow> {
  const [released] = await releasePlaces(tx, [live], release, now)
  if (!released) throw new Error('A locked registration is not there.')
  return released
}

/** Ends holds whose time is over (or all of them), and releases their places. The events' rows must be locked. */
export async function endHolds(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  which: 'ended' | 'all' = 'ended',
): Promise<RegistrationRow[]> {
  const holds = which === 'all' ? allHolds(eventIds) : endedHolds(eventIds, now)
  return releaseEnded(tx, await runStatement(tx, holds), now)
}

// With "or", PostgreSQL would read every hold of the event. With an index on the event, it might read all of its registrations; so it finds
// the ended holds of all events by their time, which are few, and then compares the event.
const endedOf = statement<Live>(
  'find ended holds',
  `
  select id, status from registrations where id = any(array(
    select id from registrations where event_id + 0 = any($1::int[]) and status = 'pending' and hold_expires_at <= $2
    union all
    select id from registrations where event_id + 0 = any($1::int[]) and status = 'pending' and hold_expires_at > $3
  ))
  order by id for no key update
  `,
)

const allHolds = statement<Live>(
  'find all holds',
  `select id, status from registrations where event_id = any((select $1::int[])::int[]) and status = 'pending' order by id for no key update`,
)

/** Holds whose time is over, locked. The events' rows must be locked. */
export const endedHolds = (eventIds: readonly number[], now: Date) => endedOf(eventIds, now, tooFarAhead(now, HOLD_MS))

/** Releases the places of holds that have ended. */
export async function releaseEnded(tx: Tx, ended: readonly Live[], now: Date): Promise<RegistrationRow[]> {
  return releasePlaces(tx, ended, { reason: 'hold ended', action: 'hold ended', userId: null }, now)
}
