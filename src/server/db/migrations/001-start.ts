import { type Kysely, sql } from 'kysely'

const tables = `
create table clubs (
  id integer generated always as identity primary key,
  name text not null,
  location text not null,
  description text not null,
  logo text not null default '',
  email text not null,
  phone text not null,
  website text not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  time_zone text not null,
  created_at timestamptz not null
);

create table users (
  id integer generated always as identity primary key,
  role text not null check (role in ('sudo', 'admin')),
  full_name text not null,
  email text not null,
  password_hash text not null,
  image text not null default '',
  club_id integer references clubs on delete cascade,
  created_at timestamptz not null,
  check ((role = 'admin') = (club_id is not null))
);
create unique index users_email_key on users (lower(email));
create index users_club on users (club_id);

create table sessions (
  token_hash text primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table sign_in_tries (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);

create table sign_in_places (
  user_id integer not null references users on delete cascade,
  address_hash text not null,
  last_used_at timestamptz not null,
  primary key (user_id, address_hash)
);

create table events (
  id integer generated always as identity primary key,
  club_id integer not null references clubs on delete cascade,
  name text not null,
  description text not null,
  location text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  time_zone text not null,
  max_attendees integer check (max_attendees > 0),
  registration_count integer not null default 0 check (registration_count >= 0),
  ticket_price integer not null check (ticket_price >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  banner text not null default '',
  registration_opens_at timestamptz,
  registration_closes_at timestamptz,
  status text not null check (status in ('draft', 'published', 'cancelled')),
  created_at timestamptz not null,
  unique (id, club_id),
  constraint events_capacity check (max_attendees is null or registration_count <= max_attendees)
);
create index events_club on events (club_id, starts_at);

create table registrations (
  id integer generated always as identity primary key,
  event_id integer not null,
  club_id integer not null,
  qr_uuid uuid not null unique,
  name text not null,
  email text not null,
  phone text not null,
  others jsonb not null,
  registration_time timestamptz not null,
  status text not null check (status in ('pending', 'confirmed', 'cancelled')),
  hold_expires_at timestamptz,
  amount integer not null check (amount >= 0),
  currency text not null,
  idempotency_key text,
  fingerprint text,
  foreign key (event_id, club_id) references events (id, club_id) on delete cascade,
  check ((status = 'pending') = (hold_expires_at is not null)),
  check ((idempotency_key is null) = (fingerprint is null))
);
create unique index registrations_live_key on registrations (event_id, lower(email), lower(name)) where status <> 'cancelled';
create unique index registrations_idempotency_key on registrations (event_id, idempotency_key) where idempotency_key is not null;

create table checkins (
  id integer generated always as identity primary key,
  registration_id integer not null constraint checkins_registration_key unique references registrations on delete cascade,
  status boolean not null,
  checkin_time timestamptz,
  checked_in_by text,
  check (status = (checkin_time is not null))
);

create table scans (
  scan_id uuid primary key,
  event_id integer not null references events on delete cascade,
  code_hash text not null,
  outcome jsonb,
  scanned_at timestamptz,
  received_at timestamptz not null
);
create index scans_event on scans (event_id);

create table mails (
  id integer generated always as identity primary key,
  club_id integer not null references clubs on delete cascade,
  registration_id integer not null references registrations on delete cascade,
  kind text not null check (kind in ('ticket')),
  message_id uuid not null default gen_random_uuid() unique,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  run_at timestamptz not null,
  locked_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  check ((status = 'sent') = (sent_at is not null))
);
create index mails_due on mails (run_at) where status = 'queued';
create index mails_registration on mails (registration_id);

create table changes (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  club_id integer references clubs on delete cascade,
  user_id integer references users on delete set null,
  subject text not null check (subject in ('registration', 'checkin', 'event', 'club', 'user')),
  subject_id integer not null,
  action text not null,
  before jsonb,
  after jsonb
);
create index changes_subject on changes (subject, subject_id);
create index changes_club on changes (club_id);
`

/** Everything from the club to the door: staff, events, registrations, check-ins, mails, and the log of changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
