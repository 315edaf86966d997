import { type Kysely, sql } from 'kysely'

/** As in 036, but of the types that everybody is shown, where there are any. */
const saleOf = `
  select event_id, not bool_or(has_left) as gone,
    case when bool_and(sale_opens_at is not null) filter (where counts) then min(sale_opens_at) filter (where counts) end as opens_at,
    case when bool_and(sale_closes_at is not null) filter (where counts) then max(sale_closes_at) filter (where counts) end as closes_at
  from (
    select *, has_left or not bool_or(has_left) over (partition by event_id) as counts
    from (
      select event_id, sale_opens_at, sale_closes_at, max_quantity is null or sold_count < max_quantity as has_left,
        access <> 'code' or not bool_or(access <> 'code') over (partition by event_id) as is_shown
      from ticket_types where removed_at is null and event_id = coalesce(new.event_id, old.event_id)
    ) live where is_shown
  ) t
  group by event_id
`

const tables = `
-- Prices for those who know a code, and tickets that only they can buy.
create table codes (
  id integer generated always as identity primary key,
  event_id integer not null references events on delete cascade,
  -- As staff wrote it; and as it is compared, without case.
  code text not null,
  key text not null,
  kind text not null check (kind in ('percent', 'amount', 'price')),
  -- Percent, or minor unit of the event's currency.
  value integer not null check (value >= 0 and (kind <> 'percent' or value <= 100)),
  -- Empty for all.
  ticket_type_ids integer[] not null default '{}',
  max_uses integer check (max_uses > 0),
  used_count integer not null default 0 check (used_count >= 0),
  opens_at timestamptz,
  closes_at timestamptz,
  note text not null default '',
  created_at timestamptz not null,
  removed_at timestamptz,
  version integer not null default 1,
  unique (event_id, id),
  constraint codes_uses check (max_uses is null or used_count <= max_uses),
  constraint codes_times check (closes_at > opens_at)
) with (fillfactor = 50);
create unique index codes_live_key on codes (event_id, key) where removed_at is null;

alter table registrations add column code_id integer;
-- What the code took off its price, minor unit.
alter table registrations add column discount integer not null default 0 check (discount >= 0);
alter table registrations add constraint registrations_code
  foreign key (event_id, code_id) references codes (event_id, id) not valid;
create index registrations_code_id on registrations (event_id, code_id) where code_id is not null;

-- Who can buy it: everybody, or whoever has a code for it.
alter table ticket_types add column access text not null default 'public' check (access in ('public', 'code'));
-- Whether there are codes, and whether some tickets need one: so that the event's page need not look.
alter table events add column codes text not null default 'none' check (codes in ('none', 'prices', 'tickets'));

create or replace function note_ticket_sale() returns trigger language plpgsql as $$
begin
  update events e set tickets_open_at = s.opens_at, tickets_close_at = s.closes_at, tickets_gone = s.gone
  from (${saleOf}) s
  where e.id = s.event_id
    and (e.tickets_open_at, e.tickets_close_at, e.tickets_gone) is distinct from (s.opens_at, s.closes_at, s.gone);
  return null;
end $$;
drop trigger ticket_types_changed on ticket_types;
create trigger ticket_types_changed after update on ticket_types for each row
  when ((old.sale_opens_at, old.sale_closes_at, old.removed_at, old.access, old.max_quantity, old.sold_count >= old.max_quantity)
    is distinct from
    (new.sale_opens_at, new.sale_closes_at, new.removed_at, new.access, new.max_quantity, new.sold_count >= new.max_quantity))
  execute function note_ticket_sale();

-- As in 034, and the uses of codes with them.
create or replace function count_new_tickets() returns trigger language plpgsql as $$
begin
  update ticket_types t set sold_count = t.sold_count + n.count
  from (select event_id, ticket_type_id, count(*)::int as count from added where status <> 'cancelled' group by 1, 2) n
  where t.event_id = n.event_id and (t.id = n.ticket_type_id or t.is_first and n.ticket_type_id is null);
  if exists (select from added where code_id is not null) then
    update codes c set used_count = c.used_count + n.count
    from (select code_id, count(*)::int as count from added where status <> 'cancelled' and code_id is not null group by 1) n
    where c.id = n.code_id;
  end if;
  return null;
end $$;
create or replace function count_changed_tickets() returns trigger language plpgsql as $$
begin
  update ticket_types t set sold_count = t.sold_count + n.count
  from (
    -- Two groups may be of one type: the first one, by its id and without.
    select t.id, sum(each.count)::int as count
    from (
      select event_id, ticket_type_id, -1 as count from before where status <> 'cancelled'
      union all
      select event_id, ticket_type_id, 1 from after where status <> 'cancelled'
    ) each
    join ticket_types t on t.event_id = each.event_id and (t.id = each.ticket_type_id or t.is_first and each.ticket_type_id is null)
    group by t.id having sum(each.count) <> 0
  ) n
  where t.id = n.id;
  if exists (select from before where code_id is not null) or exists (select from after where code_id is not null) then
    update codes c set used_count = c.used_count + n.count
    from (
      select code_id, sum(each.count)::int as count
      from (
        select code_id, -1 as count from before where status <> 'cancelled' and code_id is not null
        union all
        select code_id, 1 from after where status <> 'cancelled' and code_id is not null
      ) each
      group by code_id having sum(each.count) <> 0
    ) n
    where c.id = n.code_id;
  end if;
  return null;
end $$;
create or replace function count_removed_ticket() returns trigger language plpgsql as $$
begin
  if old.status <> 'cancelled' then
    update ticket_types t set sold_count = t.sold_count - 1
    from events e
    where e.id = old.event_id and e.removed_at is null and t.event_id = old.event_id
      and (t.id = old.ticket_type_id or t.is_first and old.ticket_type_id is null);
    if old.code_id is not null then
      update codes c set used_count = c.used_count - 1
      from events e where e.id = old.event_id and e.removed_at is null and c.id = old.code_id;
    end if;
  end if;
  return old;
end $$;
`

/** Codes: lower prices, and tickets that need one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
