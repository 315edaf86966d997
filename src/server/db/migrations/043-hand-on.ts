import { type Kysely, sql } from 'kysely'

const tables = `
-- Whether ticket holders may hand their tickets on to somebody else.
alter table events add column allows_hand_on boolean not null default true;

-- When its holder gave it to somebody else, the last time.
alter table registrations add column handed_on_at timestamptz;

-- Who had a ticket before, and with which code: to tell whoever still has it why it is void, and whoever paid of refunds.
create table former_holders (
  registration_id integer not null references registrations on delete cascade,
  qr_uuid uuid not null,
  name text not null,
  email text not null,
  handed_on_at timestamptz not null,
  primary key (registration_id, qr_uuid)
);

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made', 'API token made', 'ticket handed on'
)) not valid;
`

/** Tickets that their holders hand on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
