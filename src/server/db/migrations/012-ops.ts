import { type Kysely, sql } from 'kysely'

const tables = `
-- Which installation this database belongs to; the folder or bucket of images carries the same id. It comes along with a backup.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
insert into installation default values;

-- Image files that no row named when the sweep looked, and when it first saw them so.
create table image_orphans (
  name text primary key,
  first_seen_at timestamptz not null
);
`

/** What ties stored images to this database, and what the sweep of images remembers between two looks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
