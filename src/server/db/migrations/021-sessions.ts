import { type Kysely, sql } from 'kysely'

const columns = `
-- What a person recognizes their sessions by; empty for those opened before.
alter table sessions add column id integer generated always as identity;
alter table sessions add constraint sessions_id_key unique (id);
alter table sessions add column browser text not null default '';
alter table sessions add column system text not null default '';
alter table sessions add column address text not null default '';
`

/** On which device and from where a session was opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
