import { type Kysely, sql } from 'kysely'

const columns = `
-- An order is paid with one session at Stripe. Each of its registrations has a payment of its own, a part; the first of them leads: it has
-- the session, and its key, its status and its dispute are those of all.
alter table payments add column lead_id integer;
alter table payments add constraint payments_lead foreign key (lead_id) references payments not valid;
alter table payments add constraint payments_part check (
  lead_id is null
  or session_id is null and payment_intent is null and request is null and taken_as is null and status <> 'open'
) not valid;
create index payments_parts on payments (lead_id) where lead_id is not null;
`

/** Orders that cost something: one payment for several people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
