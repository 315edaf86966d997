import { sql } from 'kysely'
import type { Db } from '../../src/server/db/schema.ts'

/** How many statements wait for a lock in this test's database. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows[0]?.count ?? 0
}
