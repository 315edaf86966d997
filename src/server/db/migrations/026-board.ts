import { type Kysely, sql } from 'kysely'

const tables = `
-- The phones at the door with their latest report. Unlogged: it is written often, and after a crash the phones report again.
create unlogged table door_phones (
  event_id integer not null references events on delete cascade,
  phone_id text not null,
  user_id integer not null references users on delete cascade,
  name text not null,
  browser text not null,
  system text not null,
  reported_at timestamptz not null,
  list_age_s integer,
  works_offline boolean not null,
  camera text not null,
  sound text not null,
  is_shown boolean not null,
  queued integer not null,
  stuck integer not null,
  scans integer not null,
  recent_scans integer not null,
  battery integer,
  is_charging boolean not null,
  is_practising boolean not null,
  practised text[] not null,
  practised_at timestamptz,
  primary key (event_id, phone_id)
);
create index door_phones_user on door_phones (user_id);
create index door_phones_reported on door_phones (reported_at);
`

/** The readiness board: which phones are at the door, and whether they are ready. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
