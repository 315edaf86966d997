import { type Kysely, sql } from 'kysely'

/** Questions that only some ticket types ask. With the default nothing is written again, and servers of earlier versions ask everybody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_questions add column ticket_type_ids integer[] not null default '{}'`.execute(db)
}
