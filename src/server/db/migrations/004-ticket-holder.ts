import { type Kysely, sql } from 'kysely'

const tables = `
-- Until when who holds a ticket may correct what they filled in; null: until the event starts.
alter table events add column corrections_until timestamptz;
-- When the ticket's page was last opened by who holds it: the mail has arrived.
alter table registrations add column opened_at timestamptz;
`

/** What holders of tickets do for themselves, and whether the ticket reached them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
