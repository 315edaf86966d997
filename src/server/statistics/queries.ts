import { sql } from 'kysely'
import type { Statistics } from '../../contract/statistics.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db } from '../db/schema.ts'

interface Day {
  at: Date
  registrations: number
  checkins: number
}

/** Live registrations and their check-ins by day of this zone, oldest first. */
export async function countByDay(db: Db, { id }: OwnEvent, timeZone: string): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select at, sum(registrations)::int as registrations, sum(checkins)::int as checkins from (
      select date_trunc('day', registration_time, ${timeZone}) as at, count(*) as registrations, 0 as checkins
      from registrations where event_id = ${id} and status <> 'cancelled' group by 1
      union all
      select date_trunc('day', c.checkin_time, ${timeZone}), 0, count(*)
      from checkins c join registrations r on r.id = c.registration_id where r.event_id = ${id} and r.status <> 'cancelled' and c.status group by 1
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
    where r.event_id = ${id} and r.status <> 'cancelled' and c.status and c.checkin_time >= ${from} and c.checkin_time < ${to}
    group by 1 order by 1
  `.execute(db)
  return rows
}

/** The vouchers of live registrations by kind, in their order. */
export async function countVouchers(db: Db, { id }: OwnEvent): Promise<Statistics['vouchers']> {
  const { rows } = await sql<Statistics['vouchers'][number]>`
    select x.name, count(*)::int as sold, (count(*) filter (where p.status))::int as redeemed
    from extras_purchases p join registrations r on r.id = p.registration_id join extras x on x.id = p.extras_id
    where r.event_id = ${id} and r.status <> 'cancelled' group by x.id order by x.position, x.id
  `.execute(db)
  return rows
}

/** What was paid for an event; null when nothing ever was. */
export async function sumIncome(db: Db, { id }: OwnEvent): Promise<Statistics['income']> {
  const { rows } = await sql<NonNullable<Statistics['income']>>`
    select sum(p.amount)::bigint as paid, sum(p.refunded)::bigint as refunded,
      coalesce(sum(p.amount - p.refunded) filter (where p.dispute = 'lost'), 0)::bigint as lost, p.currency
    from payments p join registrations r on r.id = p.registration_id
    where r.event_id = ${id} and p.status = 'paid' group by p.currency order by 1 desc limit 1
  `.execute(db)
  return rows[0] ?? null
}
