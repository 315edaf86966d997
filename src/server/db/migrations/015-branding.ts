import { type Kysely, sql } from 'kysely'

const branding = `
-- In the order in which registrations lock them.
lock table events, clubs in access exclusive mode;
alter table clubs
  add column colour text not null default '' check (colour ~ '^(#[0-9a-f]{6})?$'),
  add column cover text not null default '',
  add column listed boolean not null default false;
alter table events add column banner_ratio real check (banner_ratio > 0);
`

/** A club's colour, cover and whether it is listed; the shape of an event's banner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(branding).execute(db)
}
