import { sql } from 'kysely'
import { MOST_COUNTED } from '../../contract/platform.ts'
import type { Db, JobRow } from '../db/schema.ts'

/** What is told of statements that run for long. */
const MOST_SLOW = 5

export interface DatabaseFigures {
  version: string
  size: number
  connections: number
  mostConnections: number
  slow: { pid: number; seconds: number; text: string }[]
}

/** How the database is. Statements are shown without their values. */
export async function readDatabase(db: Db): Promise<DatabaseFigures> {
  const { rows } = await sql<Omit<DatabaseFigures, 'size'> & { size: string }>`
    with ours as (select * from pg_stat_activity where datname = current_database() and backend_type = 'client backend')
    select current_setting('server_version') as version, pg_database_size(current_database())::text as size,
      (select count(*)::int from ours) as connections, current_setting('max_connections')::int as most_connections,
      (
        select coalesce(jsonb_agg(jsonb_build_object('pid', pid, 'seconds', seconds, 'text', text) order by seconds desc), '[]') from (
          select pid, extract(epoch from clock_timestamp() - query_start)::int as seconds,
            left(regexp_replace(query, '''[^'']*''', '''…''', 'g'), 200) as text from ours
          where state = 'active' and pid <> pg_backend_pid() and query_start < clock_timestamp() - interval '1 second'
          order by query_start limit ${MOST_SLOW}
        ) slow
      ) as slow
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not say how it is.')
  return { ...row, size: Number(row.size) }
}

/** The latest mail that failed for good, with what the mail server said. */
export async function findFailedMail(db: Db): Promise<{ at: Date; reason: string | null } | null> {
  const row = await db
    .selectFrom('mails')
    .select(['createdAt as at', 'lastError as reason'])
    .where('status', '=', 'failed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** When Stripe last told something, and how much of it is not handled yet. */
export async function readStripe(db: Db): Promise<{ lastHeardAt: Date | null; waiting: number }> {
  const { rows } = await sql<{ lastHeardAt: Date | null; waiting: number }>`
    select (select max(received_at) from stripe_events) as last_heard_at,
      (select count(*)::int from stripe_events where handled_at is null) as waiting
  `.execute(db)
  return rows[0] ?? { lastHeardAt: null, waiting: 0 }
}

interface ListedJob extends Pick<JobRow, 'id' | 'kind' | 'attempts' | 'lastError' | 'runAt' | 'createdAt'> {
  eventName: string | null
  clubName: string
  left: number
}

/** The work on whole events and clubs that is not done, the oldest first, with how many registrations are left. */
export async function findJobs(db: Db): Promise<ListedJob[]> {
  const { rows } = await sql<ListedJob>`
    select j.id, j.kind, j.attempts, j.last_error, j.run_at, j.created_at, e.name as event_name, c.name as club_name, counted.count as left
    from jobs j left join events e on e.id = j.event_id join clubs c on c.id = coalesce(j.club_id, e.club_id)
    cross join lateral (
      select count(*)::int from (
        select from registrations r where r.event_id = any(array(
          select o.id from events o where o.id = j.event_id or j.event_id is null and o.club_id = j.club_id
        )) and case j.kind
          when 'erase event' then r.erased_at is null
          when 'call off event' then r.id > j.done_id and r.status <> 'cancelled'
          else true
        end limit ${MOST_COUNTED}
      ) listed
    ) counted
    order by j.id limit 100
  `.execute(db)
  return rows
}
