import { type Kysely, sql } from 'kysely'

const tables = `
-- With which programs act for somebody of a club's team.
create table api_tokens (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  -- SHA-256 of the token, in hex; the token itself is shown once and never stored.
  token_hash text not null unique,
  -- Its first characters, by which people recognize it.
  start text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  constraint api_tokens_permissions check (cardinality(permissions) > 0 and not permissions @> '{team}'),
  constraint api_tokens_expiry check (expires_at > created_at and expires_at <= created_at + interval '366 days')
);
create index api_tokens_user on api_tokens (user_id);
create index api_tokens_expired on api_tokens (expires_at);

-- The name of the token with which it was done, as it was called then; null: without one.
alter table changes add column token_name text;

-- Whoever changes a password, also with a server of an earlier version during an upgrade, ends what was made with the one before.
create function end_api_tokens() returns trigger language plpgsql as $$
begin
  delete from api_tokens where user_id = new.id;
  return null;
end $$;
create trigger users_end_api_tokens after update of password_hash on users for each row
  when (new.password_hash is distinct from old.password_hash) execute function end_api_tokens();

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made', 'API token made'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in (
    'password reset', 'email changed', 'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made',
    'API token made'
  )) = (user_id is not null)
    and (user_id is null) = (registration_id is not null)
) not valid;
`

/** Tokens of programs, which of them made a change, and mails about new ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
