import { sql } from 'kysely'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db } from '../db/schema.ts'

interface Day {
  at: Date
  registrations: number
  checkins: number
}

/** Live registrations and check-ins by day of the event's zone, oldest first. */
export async function countByDay(db: Db, { id, timeZone }: OwnEvent): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select at, sum(registrations)::int as registrations, sum(checkins)::int as checkins from (
      select date_trunc('day', registration_time, ${timeZone}) as at, count(*) as registrations, 0 as checkins
      from registrations where event_id = ${id} and status <> 'cancelled' group by 1
      union all
      select date_trunc('day', c.checkin_time, ${timeZone}), 0, count(*)
      from checkins c join registrations r on r.id = c.registration_id where r.event_id = ${id} and c.status group by 1
    ) counted group by 1 order by 1
  `.execute(db)
  return rows
}

/** Check-ins from one moment to another by five minutes, oldest first. */
export async function countArrivals(
  db: Db,
  { id }: OwnEvent,
  from: Date,
  to: Date,
): Promise<{ at: Date; checkins: number }[]> {
  const { rows } = await sql<{ at: Date; checkins: number }>`
    select date_bin('5 minutes', c.checkin_time, ${from}) as at, count(*)::int as checkins
    from checkins c join registrations r on r.id = c.registration_id
    where r.event_id = ${id} and c.status and c.checkin_time >= ${from} and c.checkin_time < ${to}
    group by 1 order by 1
  `.execute(db)
  return rows
}
