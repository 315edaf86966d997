import { type Kysely, sql } from 'kysely'

const tables = `
-- One row for each running server, written anew with every probe: that a write succeeds is what \`/readyz\` wants to know.
create table heartbeats (
  server uuid primary key,
  at timestamptz not null
);
`

/** What `/readyz` writes to find out whether the database takes writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
