import { type Kysely, sql } from 'kysely'

const columns = `
alter table clubs
  add column language text not null default 'en' check (length(language) between 2 and 20),
  add column languages text[] not null default '{en,de,es,fr,it}' check (cardinality(languages) <= 100);
alter table users add column language text check (length(language) between 2 and 20);
-- Last and without a check, which would read every row of the largest table while nobody could register.
alter table registrations add column language text;
`

/** The languages that clubs offer, and those of people who register and of users; null where nobody said. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
