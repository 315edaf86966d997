import { type Kysely, sql } from 'kysely'

const tables = `
-- A search reads the registrations of its event along its own indexes. This one held those of all clubs. It is missing where pg_trgm was.
drop index if exists registrations_search;

-- A mail is about a registration or a user (mails_about), goes with it, and is of its club.
alter table mails drop constraint mails_club_id_fkey;
drop index mails_club;
-- Made by gen_random_uuid, and only looked up together with the registration.
alter table mails drop constraint mails_message_id_key;
`

/** Drops what each registration paid for and hardly anything read: an index and a foreign key each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
