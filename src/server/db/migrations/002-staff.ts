import { type Kysely, sql } from 'kysely'

const tables = `
alter table clubs add column version integer not null default 1;
alter table events add column version integer not null default 1;

create table form_questions (
  id integer generated always as identity primary key,
  event_id integer not null references events on delete cascade,
  type_id smallint not null check (type_id between 0 and 4),
  text text not null,
  required boolean not null,
  options jsonb not null,
  position integer not null,
  version integer not null default 1,
  removed_at timestamptz
);
create index form_questions_event on form_questions (event_id, position);

-- Staff may add people who have neither an address nor a number; nobody can be told apart by an empty address.
drop index registrations_live_key;
create unique index registrations_live_key on registrations (event_id, lower(email), lower(name)) where status <> 'cancelled' and email <> '';

-- Name, e-mail and phone as they are searched, and the name first, so that it sorts by name too; written with the row.
alter table registrations add column search_text text not null default '';
update registrations set search_text = lower(name || ' ' || email || ' ' || regexp_replace(phone, '[^0-9]', '', 'g'));
create index registrations_list on registrations (event_id, registration_time desc, id desc);
create index registrations_names on registrations (event_id, search_text, id);

alter table mails alter column club_id drop not null;
alter table mails alter column registration_id drop not null;
alter table mails add column user_id integer references users on delete cascade;
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('ticket', 'event cancelled', 'registration cancelled', 'password reset'));
alter table mails add constraint mails_about check ((kind = 'password reset') = (user_id is not null) and (user_id is null) = (registration_id is not null));
create index mails_failed on mails (club_id) where status = 'failed';

create table password_resets (
  user_id integer primary key references users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);

create table pages (
  type text primary key,
  body text not null,
  updated_at timestamptz not null
);

alter table changes drop constraint changes_subject_check;
alter table changes add constraint changes_subject_check
  check (subject in ('registration', 'checkin', 'event', 'club', 'user', 'form', 'page'));
`

// The extension comes with PostgreSQL but may not be installed; then a search reads the event's rows one by one.
const searchIndex = `
do $$ begin
  create extension if not exists pg_trgm;
  create index registrations_search on registrations using gin (search_text gin_trgm_ops);
exception when others then
  raise notice 'pg_trgm is not available: searching without an index';
end $$
`

/** What staff and the operator work with: forms, the attendee list, edits that do not overwrite each other, static pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  await sql.raw(searchIndex).execute(db)
}
