import { type Kysely, sql } from 'kysely'

const tables = `
-- Why the last step of a job failed, without personal data; null when it did not.
alter table jobs add column last_error text;

-- When Stripe last told something. The small index by pages, which is there for deleting, cannot say it.
create index stripe_events_latest on stripe_events (received_at);
drop index stripe_events_received;
`

/** What the operator's page shows of jobs and of Stripe. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
