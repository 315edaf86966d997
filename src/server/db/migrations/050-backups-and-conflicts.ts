import { type Kysely, sql } from 'kysely'

const tables = `
-- Whose turn it is to make the nightly backup: a number drawn by the process that took it; null when nobody makes one.
alter table backup_state add column turn uuid;

-- The backups in object storage that this database has kept there; null while it has never removed one, when all under its prefix count as its own.
alter table backup_state add column stored text[];

-- Whether what led to a conflict was taken back. The scan says it, too, but is kept for a shorter time.
alter table scan_conflicts add column is_taken_back boolean not null default false;
update scan_conflicts c set is_taken_back = true from scans s
where s.scan_id = c.scan_id and (s.outcome ->> 'isUndone')::boolean;
`

/** Which process makes the nightly backup, which ones it may remove, and which conflicts were taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
