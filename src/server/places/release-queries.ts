import { sql } from 'kysely'
import { isEventThere } from '../db/event-there.ts'
import { isDue } from '../db/is-due.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'
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

interface Release {
  reason: NonNullable<RegistrationRow['cancelReason']>
  /** What the log says was done. */
  action: string
  /** Null when a visitor or the server itself did it. */
  userId: number | null
}

/**
 * Cancels live registrations of locked events in one statement, and with each goes all that it held: its seat and its vouchers are
 * free again, Stripe is to be asked to end its sessions, and the log says so. The one rule for releasing a place; money and mails
 * are the caller's. Answers the rows as they are then, in the order of their ids.
 */
export async function releasePlaces(
  tx: Tx,
  live: readonly Pick<RegistrationRow, 'id' | 'status'>[],
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
      update payments set ask_at = ${now} where registration_id in (select id from live) and status in ('starting', 'open')
    ),
    log as (
      insert into changes (at, club_id, user_id, subject, subject_id, action, before, after)
      select ${now}, r.club_id, ${userId}::int, 'registration', r.id, ${action},
        jsonb_build_object('status', live.status), jsonb_build_object('status', r.status)
      from released r join live on live.id = r.id order by r.id
    )
    select * from released order by id
  `.execute(tx)
  return rows
}

/** The same for one registration. */
export async function releasePlace(
  tx: Tx,
  live: Pick<RegistrationRow, 'id' | 'status'>,
  release: Release,
  now: Date,
): Promise<RegistrationRow> {
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
  const ended = await tx
    .selectFrom('registrations')
    .select(['id', 'status'])
    .where('eventId', '=', sql<number>`any(${eventIds}::int[])`)
    .where('status', '=', 'pending')
    .$if(which === 'ended', (query) => query.where(isDue('holdExpiresAt', now, HOLD_MS)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return releasePlaces(tx, ended, { reason: 'hold ended', action: 'hold ended', userId: null }, now)
}
