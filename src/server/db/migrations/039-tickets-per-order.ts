import { type Kysely, sql } from 'kysely'

const columns = `
-- How many tickets of a type an order has, if it has any of it.
alter table ticket_types add column min_per_order integer not null default 1;
alter table ticket_types add column max_per_order integer;
alter table ticket_types add constraint ticket_types_per_order
  check (min_per_order between 1 and 20 and (max_per_order is null or max_per_order between min_per_order and 20));
`

/** The least and the most tickets of a type in one order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
