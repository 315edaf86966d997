import { type Kysely, sql } from 'kysely'

/** The sale of the events' ticket types that are not sold out, or of all where each is: from the earliest to the latest. */
const saleOf = (which: string) => `
  select event_id, not bool_or(has_left) as gone,
    case when bool_and(sale_opens_at is not null) filter (where counts) then min(sale_opens_at) filter (where counts) end as opens_at,
    case when bool_and(sale_closes_at is not null) filter (where counts) then max(sale_closes_at) filter (where counts) end as closes_at
  from (
    select *, has_left or not bool_or(has_left) over (partition by event_id) as counts
    from (
      select event_id, sale_opens_at, sale_closes_at, max_quantity is null or sold_count < max_quantity as has_left
      from ticket_types where removed_at is null and ${which}
    ) live
  ) t
  group by event_id
`
const noteSale = (which: string) => `
  update events e set tickets_open_at = s.opens_at, tickets_close_at = s.closes_at, tickets_gone = s.gone
  from (${saleOf(which)}) s
  where e.id = s.event_id
    and (e.tickets_open_at, e.tickets_close_at, e.tickets_gone) is distinct from (s.opens_at, s.closes_at, s.gone);
`

const columns = `
-- So that lists of events need no join. Null: for as long as registration is open.
alter table events add column tickets_open_at timestamptz;
alter table events add column tickets_close_at timestamptz;
-- Whether each of its types is sold out.
alter table events add column tickets_gone boolean not null default false;

create function note_ticket_sale() returns trigger language plpgsql as $$
begin
  ${noteSale('event_id = coalesce(new.event_id, old.event_id)')}
  return null;
end $$;
create trigger ticket_types_added after insert or delete on ticket_types for each row execute function note_ticket_sale();
-- Not for every ticket that is sold: only when it was the last one, or one is there again.
create trigger ticket_types_changed after update on ticket_types for each row
  when ((old.sale_opens_at, old.sale_closes_at, old.removed_at, old.max_quantity, old.sold_count >= old.max_quantity)
    is distinct from (new.sale_opens_at, new.sale_closes_at, new.removed_at, new.max_quantity, new.sold_count >= new.max_quantity))
  execute function note_ticket_sale();

${noteSale('true')}
`

/** What lists of events say of the sale of their tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
