import { type Kysely, sql } from 'kysely'

const tables = `
-- When a worker last took the mail: by it the pace of all workers together is kept.
alter table mails add column claimed_at timestamptz;
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('ticket', 'event cancelled', 'registration cancelled', 'place given back', 'password reset'));
create index mails_claimed on mails (claimed_at) where claimed_at is not null;
`

/** The pace at which mails are sent, so that a provider does not shut a club out; news for the club of places given back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
