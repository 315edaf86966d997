import { type Kysely, sql } from 'kysely'

const tables = `
-- A search reads the registrations of its event along its own indexes. This one held those of all clubs. There is none where pg_trgm was missing.
drop index if exists registrations_search;

-- A mail is about a registration or a user (mails_about), goes with it, and is of its club.
alter table mails drop constraint mails_club_id_fkey;
drop index mails_club;
-- Made by gen_random_uuid, and only looked up together with the registration.
alter table mails drop constraint mails_message_id_key;
`

/** Drops three indexes and a foreign key that each registration paid for and hardly anything used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
