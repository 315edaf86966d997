import { type Kysely, sql } from 'kysely'

const tables = `
-- Whose turn it is to make the nightly backup: a number drawn by the process that took it; null when nobody makes one.
alter table backup_state add column turn uuid;

-- The backups in object storage that this database has kept there; null while it has never removed one, when all under its prefix count as its own.
alter table backup_state add column stored text[];
`

/** Which process makes the nightly backup, and which ones it may remove. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
