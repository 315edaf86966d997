import { type Kysely, sql } from 'kysely'

const tables = `
-- The address that somebody wants to sign in with, until they open the link that is mailed to it.
create table new_addresses (
  user_id integer primary key references users on delete cascade,
  email text not null,
  -- SHA-256 of the tokens in the two links that were mailed last, in hex; null until they are.
  token_hash text unique,
  former_token_hash text unique,
  -- The hash of the token of the session that asked for it.
  asked_by text not null,
  expires_at timestamptz not null
);
-- A trigger, so that servers of the version before do so too.
create function drop_new_address() returns trigger language plpgsql as $$
begin
  delete from new_addresses where user_id = new.id;
  return null;
end $$;
create trigger users_drop_new_address after update of email, password_hash on users for each row
  when (new.email is distinct from old.email or new.password_hash is distinct from old.password_hash) execute function drop_new_address();

-- To forget to whom these mails were sent.
create index mails_new_addresses on mails (id) where kind = 'confirm address' and recipient is not null;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made', 'API token made', 'ticket handed on',
  'confirm address'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in (
    'password reset', 'email changed', 'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made',
    'API token made', 'confirm address'
  )) = (user_id is not null)
    and (user_id is null) = (registration_id is not null)
) not valid;
`

/** New addresses of staff, which are confirmed before they count. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
