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
`

/** Tokens of programs, and which of them made a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
