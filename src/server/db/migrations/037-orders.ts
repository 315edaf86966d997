import { type Kysely, sql } from 'kysely'

const tables = `
-- Several registrations made together. One that was made alone has no row: it is an order of one, with its own id and secret.
create table orders (
  -- That of its first registration, whose holder is the contact.
  id integer primary key,
  event_id integer not null,
  club_id integer not null,
  secret uuid not null,
  created_at timestamptz not null,
  foreign key (event_id, club_id) references events (id, club_id) on delete cascade
);
create index orders_event on orders (event_id);

alter table registrations add column order_id integer;
alter table registrations add constraint registrations_order foreign key (order_id) references orders not valid;
create index registrations_order_id on registrations (order_id) where order_id is not null;
`

/** Orders: several people who register together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
