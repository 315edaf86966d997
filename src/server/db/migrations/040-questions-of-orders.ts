import { type Kysely, sql } from 'kysely'

/** Questions that are asked once for all of an order. With the default nothing is written again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table form_questions add column asked_of text not null default 'attendee' check (asked_of in ('attendee', 'order'))
  `.execute(db)
}
