import { type Kysely, sql } from 'kysely'

const tables = `
alter table form_questions add column show_at_door boolean not null default false;

-- Which transaction last changed what the door knows of a ticket. A moment would not do: a transaction that began earlier may
-- become visible later than one that a phone has read already.
alter table registrations add column door_xid xid8 not null default pg_current_xact_id();
create index registrations_door on registrations (event_id, door_xid);
alter table checkins add column door_xid xid8 not null default pg_current_xact_id();
create index checkins_door on checkins (door_xid);
-- The phone that let them in, by the name that its people gave it.
alter table checkins add column device text;

alter table extras_purchases add column door_xid xid8 not null default pg_current_xact_id();
create index extras_purchases_door on extras_purchases (door_xid);

create table removed_tickets (
  registration_id integer primary key,
  event_id integer not null references events on delete cascade,
  door_xid xid8 not null default pg_current_xact_id()
);
create index removed_tickets_door on removed_tickets (event_id, door_xid);

create function note_door_change() returns trigger language plpgsql as $$
begin
  new.door_xid := pg_current_xact_id();
  return new;
end $$;
create trigger registrations_door before update on registrations for each row
  when ((old.name, old.others, old.status, old.qr_uuid) is distinct from (new.name, new.others, new.status, new.qr_uuid))
  execute function note_door_change();
create trigger checkins_door before update on checkins for each row execute function note_door_change();

-- Every redemption writes the voucher's row.
create trigger extras_purchases_door before update on extras_purchases for each row execute function note_door_change();

-- When the event itself goes, nobody asks for its list any more.
create function note_removed_ticket() returns trigger language plpgsql as $$
begin
  insert into removed_tickets (registration_id, event_id)
  select old.id, old.event_id where exists (select from events where id = old.event_id);
  return old;
end $$;
create trigger registrations_removed after delete on registrations for each row execute function note_removed_ticket();

-- What a phone without network let in although it was not to come in. The ticket may be gone since, so its id stands alone.
create table scan_conflicts (
  scan_id uuid primary key,
  event_id integer not null references events on delete cascade,
  ticket_id integer not null,
  -- The voucher, where it was one.
  voucher text,
  code text not null,
  scanned_at timestamptz not null,
  scanned_by text not null,
  device text not null,
  first_at timestamptz,
  first_by text,
  first_device text,
  noted_at timestamptz not null,
  seen_at timestamptz,
  seen_by text,
  check ((seen_at is null) = (seen_by is null))
);
create index scan_conflicts_event on scan_conflicts (event_id, noted_at);
`

/** What phones at the door need: news of tickets in an order that misses none, which phone let somebody in, and conflicts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
