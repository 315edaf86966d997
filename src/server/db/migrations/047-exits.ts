import { type Kysely, sql } from 'kysely'

const tables = `
-- Whether the door of the event scans people out too, so that it counts who is inside and lets them in again.
alter table events add column allows_reentry boolean not null default false;

-- Whether somebody who was let in has gone out since, and when they last went out or came back; null before that.
alter table checkins add column is_out boolean not null default false;
alter table checkins add column moved_at timestamptz;
alter table checkins add constraint checkins_out check (status or not is_out and moved_at is null);
`

/** Exit and re-entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
