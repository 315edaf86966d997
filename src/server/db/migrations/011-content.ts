import { type Kysely, sql } from 'kysely'

const tables = `
-- Descriptions as HTML, rendered when an event is saved. The hash is that of the Markdown it was made of: with another one it is old.
create table event_descriptions (
  event_id integer primary key references events on delete cascade,
  hash text not null,
  html text not null
);
-- Null until it is rendered, as for pages saved by older versions.
alter table pages add column body_html text;

-- Sent back with an edit, so that nobody overwrites what they have not seen.
alter table registrations add column version integer not null default 1;
alter table extras add column version integer not null default 1;
alter table users add column version integer not null default 1;
`

/** Rendered descriptions, and versions of what several people edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
