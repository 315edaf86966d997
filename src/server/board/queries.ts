import { sql } from 'kysely'
import { type Board, type BoardPhone, MOST_BOARD_PHONES } from '../../contract/board.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db, Schema, Tx } from '../db/schema.ts'

type PhoneRow = Schema['doorPhones']

/** Replaces the report of a phone that is known; returns whether it was. Most reports are this one statement. */
export async function replaceReport(db: Db, { eventId, phoneId, ...report }: PhoneRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('doorPhones')
    .set(report)
    .where('eventId', '=', eventId)
    .where('phoneId', '=', phoneId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The first of the two numbers of the lock for new phones of an event; the second is the event's id. */
const NEW_PHONE_LOCK = 7_085_662

/** Lets one transaction at a time add a phone to the event, so that two at once do not exceed the limit. */
export async function lockNewPhones(tx: Tx, eventId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NEW_PHONE_LOCK}, ${eventId})`.execute(tx)
}

/** Adds a phone, and removes those without a report for longest when there are too many. */
export async function addPhone(tx: Tx, row: PhoneRow): Promise<void> {
  const { eventId, phoneId, ...report } = row
  await tx
    .insertInto('doorPhones')
    .values(row)
    .onConflict((conflict) => conflict.columns(['eventId', 'phoneId']).doUpdateSet(report))
    .execute()
  await sql`
    delete from door_phones where event_id = ${eventId} and phone_id in (
      select phone_id from door_phones where event_id = ${eventId} and phone_id <> ${phoneId}
      order by reported_at desc, phone_id offset ${MOST_BOARD_PHONES - 1}
    )
  `.execute(tx)
}

/** The phones of an event that reported since then, by helper, but for those whose pass was ended. */
export async function listPhones(db: Db, { id }: OwnEvent, since: Date): Promise<BoardPhone[]> {
  return (
    db
      .selectFrom('doorPhones as p')
      .innerJoin('users as u', 'u.id', 'p.userId')
      .selectAll('p')
      .select(['p.phoneId as id', 'u.fullName as helper'])
      .select(sql<boolean>`u.pass_may is not null`.as('isPass'))
      // All of a team who may work at the door may add people.
      .select(sql<boolean>`coalesce('walk-ins' = any(u.pass_may), true)`.as('mayAdd'))
      .where('p.eventId', '=', id)
      .where('p.reportedAt', '>=', since)
      .where('u.passRevokedAt', 'is', null)
      // A new link for a pass ends it on its phones.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sessions as s')
              .select('s.id')
              .whereRef('s.userId', '=', 'p.userId')
              .whereRef('s.endedAt', '>=', 'p.reportedAt'),
          ),
        ),
      )
      .orderBy(sql`lower(u.full_name), p.name, p.phone_id`)
      .execute()
  )
}

type Arrived = Pick<Board, 'expected' | 'unpaid' | 'inside' | 'lately' | 'outside'>

/** How many people are expected, have not paid, are in, came in since then, and have gone out. */
export async function countArrivals(db: Db, { id }: OwnEvent, since: Date): Promise<Arrived> {
  const { rows } = await sql<Arrived>`
    select e.registration_count - p.unpaid as expected, p.unpaid,
      (select coalesce(sum(checkins), 0)::int from event_counts where event_id = e.id) as inside,
      (select count(*)::int from checkins where event_id = e.id and status and checkin_time >= ${since}) as lately,
      case when e.allows_reentry then (select count(*)::int from checkins where event_id = e.id and is_out) else 0 end as outside
    from events e,
      lateral (select count(*)::int as unpaid from registrations where event_id = e.id and status = 'pending') p
    where e.id = ${id}
  `.execute(db)
  return rows[0] ?? { expected: 0, unpaid: 0, inside: 0, lately: 0, outside: 0 }
}
