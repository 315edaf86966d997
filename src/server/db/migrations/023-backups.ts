import { type Kysely, sql } from 'kysely'

const tables = `
-- One row: what became of the nightly backups.
create table backup_state (
  is_only boolean primary key default true check (is_only),
  -- Since when there should be backups.
  since timestamptz not null default now(),
  -- When the next one is due; while one is made, when it is taken for lost.
  next_at timestamptz not null default now(),
  -- The last good one.
  good_at timestamptz,
  file text,
  bytes bigint,
  -- How it was checked: restored into a database of its own, or read.
  checked text check (checked in ('restored', 'read')),
  -- Why the last try failed; null after a good one.
  error text,
  check ((good_at is null) = (file is null) and (good_at is null) = (bytes is null) and (good_at is null) = (checked is null))
);
insert into backup_state default values;
`

/** What became of the nightly backups, and whose turn it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
