import { type Kysely, sql } from 'kysely'

const tables = `
-- Mails to one address that travel together: the row whose mail carries this one.
alter table mails add column lead_id integer references mails on delete set null;
-- Caused by a visitor, so that the address may not have asked for it; false once it was counted or not limited.
alter table mails add column is_unasked boolean not null default false;
-- How often the mail server refused it by policy while it took other mails.
alter table mails add column policy_refusals integer not null default 0;
-- Of a held mail: SHA-256 of the address, so that it can be let go.
alter table mails add column address_hash bytea;

alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check check (status in ('queued', 'sent', 'failed', 'dropped', 'held'));
alter table mails add constraint mails_held check ((status = 'held') = (address_hash is not null));
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in
  ('ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded')) not valid;

-- Clubs take turns: the first due mail of each club is one step in this index.
create index mails_waiting on mails (club_id, run_at, id) where status = 'queued' and user_id is null and lead_id is null;
create index mails_to_users on mails (run_at, id) where status = 'queued' and user_id is not null;
create index mails_oldest on mails (created_at) where status = 'queued';
create index mails_lead on mails (lead_id) where lead_id is not null;
create index mails_held on mails (address_hash) where status = 'held';
drop index mails_due;

-- How many mails that visitors caused went to an address since day_start, and when the address proved that it reads them.
create table mail_addresses (
  address_hash bytea primary key,
  day_start timestamptz not null,
  sent integer not null,
  proven_at timestamptz
);

-- One row: whether the queue is paused because the mail server refuses us.
create table mail_state (
  id boolean primary key default true check (id),
  reason text,
  since timestamptz,
  paused_until timestamptz,
  failures integer not null default 0,
  check ((reason is null) = (since is null) and (reason is null) = (paused_until is null))
);
insert into mail_state default values;
`

/** A pause of the mail queue, turns between clubs, mails that travel together, and a limit on what strangers cause. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
