import { type Kysely, sql } from 'kysely'

const tables = `
-- How many places phones at the door keep for people who come without a ticket: the sum of its rows in walk_in_quotas.
alter table events add column walk_in_places integer not null default 0 check (walk_in_places >= 0);
alter table events drop constraint events_capacity;
alter table events add constraint events_capacity
  check (max_attendees is null or registration_count + walk_in_places <= max_attendees);

-- The places that the board has given to a phone. It keeps those that are not used yet, also without network.
create table walk_in_quotas (
  event_id integer not null references events on delete cascade,
  -- The id that the phone made up for itself, and its name when it was given them.
  phone_id text not null,
  phone_name text not null,
  -- In all, and how many of them people have got.
  granted integer not null,
  used integer not null default 0 check (used >= 0),
  -- How many it is to have in all: fewer than granted until the phone confirms that it keeps no more.
  wanted integer not null,
  primary key (event_id, phone_id),
  constraint walk_in_quotas_order check (used <= granted and wanted >= 0 and wanted <= granted)
);

-- A conflict about somebody who was added at the door has no registration, but who it is.
alter table scan_conflicts alter column ticket_id drop not null;
alter table scan_conflicts add column walk_in jsonb;
alter table scan_conflicts add constraint scan_conflicts_about check (ticket_id is not null or walk_in is not null);
`

/** People who come without a ticket, added by phones without network within places that are kept for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
