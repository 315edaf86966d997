import { sql } from 'kysely'
import type { AttendeeCounts } from '../../contract/attendees.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db } from '../db/schema.ts'
import { countsByState } from './count-queries.ts'
import { type AttendeeRecord, matching, matchingState, type Page, rowsOf, sorts } from './queries.ts'

/** Up to so many matches are counted and listed by one statement. */
export const FEW = 1_000

export interface FirstPage {
  found: AttendeeRecord[]
  counts: AttendeeCounts
  total: number
}

type Counted = AttendeeCounts & { total: number; isFew: boolean }

/**
 * The first page of a search and its counts in one statement; null if more than `FEW` match. Then two statements at once are quicker, since
 * the page's ends with its last row.
 */
export async function findFew(
  db: Db,
  event: OwnEvent,
  { filters, sortBy, limit }: Omit<Page, 'sortBy' | 'after'> & { sortBy: keyof typeof sorts },
): Promise<FirstPage | null> {
  const { status, checkin, ...search } = filters
  const wanted = matchingState({ status, checkin }, sql`r.is_in`)
  const { isAfter: _, ...sort } = sorts[sortBy]
  const from = sql`
    from (
      select r.id from found r where (select is_few from counted) and ${wanted} order by ${sort.order} limit ${limit}
    ) hit
    cross join lateral (select * from registrations where id = hit.id and ${hidden('event_id')} = ${event.id} offset 0) r
    left join lateral (select * from checkins where registration_id = hit.id offset 0) c on true
  `
  const { rows } = await sql<Counted & (AttendeeRecord | { id: null })>`
    -- In the order of the page, so that no index of all events is taken for the limit.
    with found as materialized (
      select r.*, coalesce(c.status, false) as is_in
      from (
        select r.id, r.registration_time, r.search_text, r.status from registrations r
        where ${matching(event, search)} order by ${sort.order} limit ${FEW + 1}
      ) r
      left join lateral (select status from checkins where registration_id = r.id offset 0) c on true
    ),
    counted as (
      select ${countsByState(sql`r.is_in`)}, (count(*) filter (where ${wanted}))::int as total, count(*) <= ${FEW} as is_few
      from found r
    )
    select * from counted left join (${rowsOf(event, from, { ...sort, limit })}) page on true order by ${sort.orderOfPage}
  `.execute(db)
  const [first] = rows
  if (!first?.isFew) return null
  const { notIn, in: come, pending, cancelled, total } = first
  const found = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { found, counts: { notIn, in: come, pending, cancelled }, total }
}
