import { sql } from 'kysely'
import type { AttendeeCounts } from '../../contract/attendees.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db } from '../db/schema.ts'
import { type ByState, countsByState, toCounts } from './count-queries.ts'
import { type AttendeeRecord, matching, matchingState, type Page, rowsOf, sorts } from './queries.ts'

/** The most matches that one statement lists and counts. */
export const MOST_WITH_COUNTS = 1_000

export interface FirstPage {
  found: AttendeeRecord[]
  counts: AttendeeCounts
  total: number
}

type Counted = ByState & { total: number; isComplete: boolean }

/**
 * The first page of a search and its counts in one statement; null if more than `MOST_WITH_COUNTS` match. Then two statements at once are quicker, since
 * the page's ends with its last row.
 */
export async function findWithCounts(
  db: Db,
  event: OwnEvent,
  { filters, sortBy, limit }: Omit<Page, 'sortBy' | 'after'> & { sortBy: keyof typeof sorts },
): Promise<FirstPage | null> {
  const { status, checkin, ...search } = filters
  const wanted = matchingState({ status, checkin }, sql`r.is_in`)
  const { isAfter: _, ...sort } = sorts[sortBy]
  const from = sql`
    from (
      select r.id from found r where (select is_complete from counted) and ${wanted} order by ${sort.order} limit ${limit}
    ) ids
    cross join lateral (select * from registrations where id = ids.id and ${hidden('event_id')} = ${event.id} offset 0) r
    left join lateral (select * from checkins where registration_id = ids.id offset 0) c on true
  `
  // Without an order, the planner expects to reach the limit soon, and reads the rows of all events.
  const { rows } = await sql<Counted & (AttendeeRecord | { id: null })>`
    with found as materialized (
      select r.*, coalesce(c.status, false) as is_in
      from (
        select r.id, r.registration_time, r.search_text, r.status from registrations r
        where ${matching(event, search)} order by ${sort.order} limit ${MOST_WITH_COUNTS + 1}
      ) r
      left join lateral (select status from checkins where registration_id = r.id offset 0) c on true
    ),
    counted as (
      select ${countsByState(sql`r.is_in`)}, (count(*) filter (where ${wanted}))::int as total, count(*) <= ${MOST_WITH_COUNTS} as is_complete
      from found r
    )
    select * from counted left join (${rowsOf(event, from, { ...sort, limit })}) page on true order by ${sort.orderOfPage}
  `.execute(db)
  const [first] = rows
  if (!first?.isComplete) return null
  return { found: rows.flatMap((row) => (row.id === null ? [] : [row])), counts: toCounts(first), total: first.total }
}
