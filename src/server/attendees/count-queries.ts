import { type RawBuilder, sql } from 'kysely'
import type { AttendeeCounts } from '../../contract/attendees.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db } from '../db/schema.ts'
import { type Filters, matching } from './queries.ts'

/** Counts what a search finds by status and check-in, and how many of those match all filters. */
export async function countAttendees(
  db: Db,
  event: OwnEvent,
  filters: Filters,
): Promise<{ counts: AttendeeCounts; total: number }> {
  const { status, checkin, ...search } = filters
  const isCounted = !hasOtherFilters(filters)
  if (isCounted && checkin !== undefined && status === undefined) {
    const { come, ...counts } = await readCounts(db, event, true)
    return { counts, total: checkin ? come : totalOf(counts, {}) - come }
  }
  const [counts, rare] = await Promise.all([
    isCounted ? readOwnCounts(db, event) : countFound(db, event, search),
    // Those of no single count, such as cancelled ones who are in.
    checkin !== undefined && status !== 'confirmed' ? countMatching(db, event, filters) : null,
  ])
  return { counts, total: rare ?? totalOf(counts, filters) }
}

/** Whether there are filters besides status and check-in. Only the counts of those two are kept. */
export function hasOtherFilters({ searchKeyword, redeemed, ticketTypeId, orderId, codeId }: Filters): boolean {
  return searchKeyword !== '' || [redeemed, ticketTypeId, orderId, codeId].some((each) => each !== undefined)
}

function totalOf(counts: AttendeeCounts, { status, checkin }: Pick<Filters, 'status' | 'checkin'>): number {
  if (status === undefined) return counts.notIn + counts.in + counts.pending + counts.cancelled
  if (status !== 'confirmed') return counts[status]
  if (checkin === undefined) return counts.notIn + counts.in
  return checkin ? counts.in : counts.notIn
}

async function readOwnCounts(db: Db, event: OwnEvent): Promise<AttendeeCounts> {
  const { come: _, ...counts } = await readCounts(db, event, false)
  return counts
}

/**
 * Live registrations and check-ins are counted already, for the capacity and for the statistics. Nobody is in before they have paid.
 * `come` is everybody who is checked in, also those who were cancelled afterwards, if it is asked for.
 */
async function readCounts(db: Db, { id }: OwnEvent, withCome: boolean): Promise<AttendeeCounts & { come: number }> {
  const come = sql`(select count(*)::int from checkins c where c.event_id = e.id and c.checkin_time is not null)`
  const { rows } = await sql<AttendeeCounts & { come: number }>`
    select live - pending - live_come as not_in, live_come as in, pending, cancelled, come
    from (
      select e.registration_count as live,
        (select coalesce(sum(c.checkins), 0)::int from event_counts c where c.event_id = e.id) as live_come,
        (select count(*)::int from registrations r where r.event_id = e.id and r.status = 'pending') as pending,
        (select count(*)::int from registrations r where r.event_id = e.id and r.status = 'cancelled') as cancelled,
        ${withCome ? come : sql`0`} as come
      from events e where e.id = ${id}
    ) counted
  `.execute(db)
  return rows[0] ?? { notIn: 0, in: 0, pending: 0, cancelled: 0, come: 0 }
}

async function countFound(db: Db, event: OwnEvent, search: Filters): Promise<AttendeeCounts> {
  const { rows } = await sql<ByState>`
    select ${countsByState(sql`c.status`)} from registrations r left join checkins c on c.registration_id = r.id
    where ${matching(event, search)}
  `.execute(db)
  const [counted] = rows
  return counted ? toCounts(counted) : { notIn: 0, in: 0, pending: 0, cancelled: 0 }
}

/** What `countsByState` counts: `matches` is how many there are in all. */
export type ByState = Omit<AttendeeCounts, 'notIn'> & { matches: number }

/**
 * Counts registrations `r` by status and check-in; `isIn` says whether somebody is in. `toCounts` takes those who are not in yet as the
 * remainder: they are usually the most, and comparing the status of each would take a tenth longer.
 */
export function countsByState(isIn: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    count(*)::int as matches,
    (count(*) filter (where ${isIn} and r.status = 'confirmed'))::int as "in",
    (count(*) filter (where r.status = 'pending'))::int as pending,
    (count(*) filter (where r.status = 'cancelled'))::int as cancelled
  `
}

/** Everybody who is neither in, pending nor cancelled is confirmed and not in yet. */
export function toCounts({ matches, in: come, pending, cancelled }: ByState): AttendeeCounts {
  return { notIn: matches - come - pending - cancelled, in: come, pending, cancelled }
}

async function countMatching(db: Db, event: OwnEvent, filters: Filters): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from registrations r left join checkins c on c.registration_id = r.id
    where ${matching(event, filters)}
  `.execute(db)
  return rows[0]?.count ?? 0
}
