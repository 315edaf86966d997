import { type Kysely, sql } from 'kysely'

const tables = `
-- A search reads the registrations of its event by their other indexes; this one held those of all clubs. It does not exist where pg_trgm was missing.
drop index if exists registrations_search;

-- A mail is about a registration or a user (mails_about), is deleted with it, and belongs to the same club.
alter table mails drop constraint mails_club_id_fkey;
drop index mails_club;
-- Made by gen_random_uuid, and only looked up together with the registration.
alter table mails drop constraint mails_message_id_key;
`

/** Drops three indexes and a foreign key that each registration paid for and hardly anything used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
