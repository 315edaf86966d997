import { type Kysely, sql } from 'kysely'

const tables = `
-- Whose turn it is to make the nightly backup: a number drawn by the process that took it; null when nobody makes one.
alter table backup_state add column turn uuid;
`

/** Which process makes the nightly backup. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
