import { type Kysely, sql } from 'kysely'

const tables = `
-- Whether the session was opened with the second factor, or set it up. Without it, a session does not count once its person has one.
alter table sessions add column proved_factor boolean not null default false;
update sessions set proved_factor = true where user_id in (select user_id from second_factors where confirmed_at is not null);

-- Since when everybody in the team needs a second factor; null where nobody does, or where it was required before this column.
alter table clubs add column second_factor_since timestamptz;

-- How many of a phone's latest scans came from a scanner that acts as a keyboard.
alter table door_phones add column recent_by_scanner integer not null default 0;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in ('password reset', 'email changed', 'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made'))
    = (user_id is not null)
    and (user_id is null) = (registration_id is not null)
) not valid;
`

/** Sessions that proved the second factor, mails about it, and scans of keyboard scanners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
