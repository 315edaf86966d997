import { type Kysely, sql } from 'kysely'

const columns = `
-- A helper pass is a user without address and password, for the door of one event.
alter table users add column pass_may text[];
alter table users add column pass_phones integer;
alter table users add column pass_key uuid;
alter table users add column pass_hash text;
alter table users add column pass_made_by text;
alter table users add column pass_revoked_at timestamptz;
alter table users add constraint users_pass check (
  num_nulls(pass_may, pass_phones, pass_key, pass_hash, pass_made_by) = 5 and pass_revoked_at is null
  or num_nulls(pass_may, pass_phones, pass_key, pass_hash, pass_made_by) = 0 and pass_phones between 1 and 20
    and pass_may <@ array['tickets', 'redeem', 'search', 'walk-ins'] and cardinality(pass_may) > 0
    and team_role = 'door' and cardinality(event_ids) = 1 and email = '' and password_hash = ''
);
alter table users add constraint users_email check ((email = '') = (pass_may is not null));
create unique index users_pass_key on users (pass_key) where pass_key is not null;
create unique index users_pass_hash on users (pass_hash) where pass_hash is not null;
create index users_passes on users ((event_ids[1])) where pass_may is not null;

-- Passes have no address to sign in with.
drop index users_email_key;
create unique index users_email_key on users (lower(email)) where email <> '';
-- By which somebody is found who signs in: the one above is of no use for that, because of its condition.
create index users_email on users (lower(email));

-- SHA-256 of a secret that a phone keeps: it opens a pass again as the same phone.
alter table sessions add column phone_hash text;
-- When a helper pass got a new link: from then on this phone only sends what it did before.
alter table sessions add column ended_at timestamptz;
create unique index sessions_phone on sessions (user_id, phone_hash) where phone_hash is not null;
`

/** Helper passes: a link that opens the scanner of one event without an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
