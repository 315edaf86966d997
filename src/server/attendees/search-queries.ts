import { sql } from 'kysely'
import type { AttendeeCounts } from '../../contract/attendees.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db } from '../db/schema.ts'
import { type AttendeeRecord, matching, type Page, rowsOf, sorts } from './queries.ts'

/** A search that finds no more than this is made once, for its page and its counts. */
export const FEW = 1_000

export interface FirstPage {
  found: AttendeeRecord[]
  counts: AttendeeCounts
  total: number
}

type Counted = AttendeeCounts & { total: number; isFew: boolean }

/**
 * The first page of a search, with its counts, from one look for all that it finds; null if that is more than a few. Then two looks at once
 * are quicker, since the page ends with its last row.
 */
export async function findFew(
  db: Db,
  event: OwnEvent,
  { filters, sortBy, limit }: Omit<Page, 'sortBy' | 'after'> & { sortBy: keyof typeof sorts },
): Promise<FirstPage | null> {
  const { status, checkin, ...search } = filters
  const wanted = sql`${status === undefined ? sql`true` : sql`r.status = ${status}`}
    and ${checkin === undefined ? sql`true` : sql`r.is_in = ${checkin}`}`
  const { isAfter: _, ...sort } = sorts[sortBy]
  const from = sql`
    from (
      select r.id from found r where (select is_few from counted) and ${wanted} order by ${sort.order} limit ${limit}
    ) hit
    cross join lateral (select * from registrations where id = hit.id and ${hidden('event_id')} = ${event.id} offset 0) r
    left join lateral (select * from checkins where registration_id = hit.id offset 0) c on true
  `
  const { rows } = await sql<Counted & (AttendeeRecord | { id: null })>`
    with found as materialized (
      select r.*, coalesce(c.status, false) as is_in
      from (
        select r.id, r.registration_time, r.search_text, r.status from registrations r
        where ${matching(event, search)} limit ${FEW + 1}
      ) r
      left join lateral (select status from checkins where registration_id = r.id offset 0) c on true
    ),
    counted as (
      select (count(*) filter (where r.status = 'confirmed' and not r.is_in))::int as not_in,
        (count(*) filter (where r.status = 'confirmed' and r.is_in))::int as "in",
        (count(*) filter (where r.status = 'pending'))::int as pending,
        (count(*) filter (where r.status = 'cancelled'))::int as cancelled,
        (count(*) filter (where ${wanted}))::int as total,
        count(*) <= ${FEW} as is_few
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
