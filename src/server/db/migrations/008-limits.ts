import { type Kysely, sql } from 'kysely'

const tables = `
-- In the order in which processes of the version before lock them, which may still be serving.
lock table events, registrations, payments, refunds, mails, clubs, users, password_resets in access exclusive mode;

-- How often something was done in a window of time. Unlogged: a count costs no write to disk, and one lost in a crash does no harm.
-- sign_in_tries stays for processes of the version before; nothing else reads it any more.
create unlogged table limit_counts (
  key text primary key,
  ends_at timestamptz not null,
  count integer not null
);
create index limit_counts_ends on limit_counts (ends_at);

-- Secrets that all servers of one database share.
create table server_secrets (
  name text primary key,
  value text not null
);
insert into server_secrets values ('proof of work', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

-- Solutions of proof-of-work challenges that were used, kept until their challenge expires.
create unlogged table used_proofs (
  signature text primary key,
  expires_at timestamptz not null
);

-- Who holds seats without having paid, as hashes, so that nobody holds many. A hold counts while its registration is pending.
create table unpaid_holds (
  registration_id integer primary key references registrations on delete cascade,
  email_hash text not null,
  network_hash text,
  -- The IPv6 network around it; null for IPv4.
  wide_network_hash text,
  expires_at timestamptz not null
);
create index unpaid_holds_email on unpaid_holds (email_hash, expires_at);
create index unpaid_holds_network on unpaid_holds (network_hash, expires_at);
create index unpaid_holds_wide_network on unpaid_holds (wide_network_hash, expires_at);

alter table events add column max_per_email integer not null default 10
  constraint events_max_per_email check (max_per_email between 1 and 1000);

-- When the bank was last asked about a session, and the way to pay that it told, answered while it is not asked again.
alter table payments add column asked_at timestamptz;
alter table payments add column way jsonb;

-- Two links for a new password are valid at a time: the newest two of a person.
alter table password_resets drop constraint password_resets_pkey;
alter table password_resets drop constraint password_resets_token_hash_key;
alter table password_resets add primary key (token_hash);
create index password_resets_user on password_resets (user_id);

-- Where a mail goes that is not for the address the person has now.
alter table mails add column recipient text;
create index mails_user on mails (user_id, created_at) where user_id is not null;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in ('password reset', 'email changed')) = (user_id is not null) and (user_id is null) = (registration_id is not null)
) not valid;
`

/** Limits on public calls, proof of work, holds for each person and network, and two links for a new password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
