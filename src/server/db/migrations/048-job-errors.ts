import { type Kysely, sql } from 'kysely'

/** Why the last step of a job failed, without personal data; null when it did not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column last_error text`.execute(db)
}
