import { type Kysely, sql } from 'kysely'

const tables = `
-- The members of a club, of whom only hashes are kept: with the club's own key, so that nobody can look them up in another list.
create table member_lists (
  club_id integer primary key references clubs on delete cascade,
  key bytea not null,
  size integer not null,
  uploaded_at timestamptz not null
);
create table club_members (
  club_id integer not null references clubs on delete cascade,
  -- HMAC-SHA-256 in hex, of a number or an address. Somebody with both has two rows.
  hash text not null,
  -- The first hash of the same person.
  member text not null,
  primary key (club_id, hash)
);

-- Who has a ticket for members, as in club_members; null for others.
alter table registrations add column member text;
create index registrations_member on registrations (event_id, member) where member is not null;
alter table ticket_types add column max_per_member integer not null default 1 check (max_per_member between 1 and 20);
alter table ticket_types drop constraint ticket_types_access_check;
alter table ticket_types add constraint ticket_types_access_check check (access in ('public', 'code', 'member'));

-- However a ticket becomes live: one member has only so many of a type. The lock keeps two at once from passing each other.
create function check_member_tickets() returns trigger language plpgsql as $$
declare
  type ticket_types%rowtype;
begin
  select * into type from ticket_types t
  where t.event_id = new.event_id and (t.id = new.ticket_type_id or t.is_first and new.ticket_type_id is null)
  for no key update;
  if type.max_per_member < (
    select count(*) from registrations r
    where r.event_id = new.event_id and r.member = new.member and r.status <> 'cancelled'
      and (r.ticket_type_id = type.id or type.is_first and r.ticket_type_id is null)
  ) then
    raise exception 'too many tickets of a member' using errcode = 'check_violation', constraint = 'registrations_member_tickets';
  end if;
  return null;
end $$;
create trigger registrations_member_added after insert on registrations for each row
  when (new.member is not null and new.status <> 'cancelled') execute function check_member_tickets();
create trigger registrations_member_again after update of status on registrations for each row
  when (new.member is not null and new.status <> 'cancelled' and old.status = 'cancelled') execute function check_member_tickets();
`

/** Tickets for members of the club. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
