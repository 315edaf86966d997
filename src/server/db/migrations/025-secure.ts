import { type Kysely, sql } from 'kysely'

const tables = `
-- When somebody last proved again who they are; null: not since they signed in.
alter table sessions add column confirmed_at timestamptz;

-- The app with codes that somebody uses as a second factor.
create table second_factors (
  user_id integer primary key references users (id) on delete cascade,
  secret text not null,
  -- Null while it is being set up: it counts once its first code was typed.
  confirmed_at timestamptz,
  -- The time step of the last code that was used: no code works twice.
  last_step integer not null default 0
);

-- Codes for when the app is lost. Each works once and is deleted then.
create table recovery_codes (
  user_id integer not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Whether everybody in the team needs a second factor.
alter table clubs add column needs_second_factor boolean not null default false;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation', 'second factor reset'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in ('password reset', 'email changed', 'invitation', 'second factor reset')) = (user_id is not null)
    and (user_id is null) = (registration_id is not null)
) not valid;
`

/** A sign-in confirmed again, and second factors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
