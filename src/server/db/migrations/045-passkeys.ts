import { type Kysely, sql } from 'kysely'

const tables = `
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- As the device names it, in base64url.
  credential_id text not null unique,
  -- In the format COSE.
  public_key bytea not null,
  -- How often the device says that it was used; 0 where it does not count.
  counter bigint not null,
  -- Where it was added; empty where the browser does not tell.
  browser text not null,
  system text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a passkey has to sign. Each counts once.
create table passkey_challenges (
  -- SHA-256, in hex.
  challenge_hash text primary key,
  -- Who adds a passkey; null for signing in, where it is not known yet who does.
  user_id integer references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);

-- The key from which the user handles are derived that devices store.
insert into server_secrets (name, value) values ('passkeys', gen_random_uuid()::text || gen_random_uuid()::text);

-- Whether signing in takes more than the password.
create function has_second_factor(person integer) returns boolean language sql stable as $$
  select exists (select from second_factors where user_id = person and confirmed_at is not null)
    or exists (select from passkeys where user_id = person)
$$;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made', 'API token made', 'ticket handed on',
  'confirm address', 'passkey added', 'passkey removed', 'code app added', 'code app removed'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in (
    'password reset', 'email changed', 'invitation', 'second factor reset', 'second factor on', 'second factor off', 'recovery codes made',
    'API token made', 'confirm address', 'passkey added', 'passkey removed', 'code app added', 'code app removed'
  )) = (user_id is not null)
    and (user_id is null) = (registration_id is not null)
) not valid;
`

/** Passkeys of staff. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
