import { type Kysely, sql } from 'kysely'

const tables = `
-- What an event sells: each has a price and, where it is limited, places of its own besides the event's. One that has been sold is never
-- deleted: staff take it off sale.
create table ticket_types (
  id integer generated always as identity primary key,
  event_id integer not null references events on delete cascade,
  name text not null,
  description text not null default '',
  price integer not null check (price >= 0),
  max_quantity integer check (max_quantity > 0),
  sold_count integer not null default 0 check (sold_count >= 0),
  sale_opens_at timestamptz,
  sale_closes_at timestamptz,
  position integer not null default 1,
  -- The event's first one, for registrations that name none: those from before there were types, and those of earlier versions.
  is_first boolean not null default false,
  removed_at timestamptz,
  version integer not null default 1,
  unique (event_id, id),
  constraint ticket_types_places check (max_quantity is null or sold_count <= max_quantity),
  constraint ticket_types_sale check (sale_closes_at > sale_opens_at)
) with (fillfactor = 50);
create unique index ticket_types_first on ticket_types (event_id) where is_first;

-- Null for the event's first one, so that no row has to be written again.
alter table registrations add column ticket_type_id integer;
alter table registrations add constraint registrations_ticket_type
  foreign key (event_id, ticket_type_id) references ticket_types (event_id, id) not valid;
create index registrations_ticket_type_id on registrations (event_id, ticket_type_id) where ticket_type_id is not null;

-- The highest price of its types; ticket_price is the lowest.
alter table events add column ticket_price_to integer not null default 0;

-- While an event has one type, the event's price is that type's, whoever writes it: also servers of earlier versions.
create function price_first_ticket_type() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.ticket_price_to := new.ticket_price;
  elsif new.ticket_price_to = old.ticket_price_to
    and (select count(*) from ticket_types where event_id = new.id and removed_at is null) = 1 then
    new.ticket_price_to := new.ticket_price;
    update ticket_types set price = new.ticket_price, version = version + 1
    where event_id = new.id and removed_at is null and price <> new.ticket_price;
  end if;
  return new;
end $$;
create function add_first_ticket_type() returns trigger language plpgsql as $$
begin
  insert into ticket_types (event_id, name, price, is_first) values (new.id, 'Ticket', new.ticket_price, true);
  return null;
end $$;

-- Counted by the change itself, so that whatever gives or frees a place counts it, in any version.
create function count_new_tickets() returns trigger language plpgsql as $$
begin
  update ticket_types t set sold_count = t.sold_count + n.count
  from (select event_id, ticket_type_id, count(*)::int as count from added where status <> 'cancelled' group by 1, 2) n
  where t.event_id = n.event_id and (t.id = n.ticket_type_id or t.is_first and n.ticket_type_id is null);
  return null;
end $$;
create function count_changed_tickets() returns trigger language plpgsql as $$
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
  return null;
end $$;
create function count_removed_ticket() returns trigger language plpgsql as $$
begin
  if old.status <> 'cancelled' then
    update ticket_types t set sold_count = t.sold_count - 1
    from events e
    where e.id = old.event_id and e.removed_at is null and t.event_id = old.event_id
      and (t.id = old.ticket_type_id or t.is_first and old.ticket_type_id is null);
  end if;
  return old;
end $$;

create trigger events_price before insert or update of ticket_price on events
  for each row execute function price_first_ticket_type();
create trigger events_first_ticket_type after insert on events for each row execute function add_first_ticket_type();
create trigger registrations_tickets_counted after insert on registrations
  referencing new table as added for each statement execute function count_new_tickets();
create trigger registrations_tickets_recounted after update on registrations
  referencing old table as before new table as after for each statement execute function count_changed_tickets();
create trigger registrations_tickets_discounted before delete on registrations
  for each row execute function count_removed_ticket();

-- With the triggers made, nobody changes either table until this is done.
update events set ticket_price_to = ticket_price;
insert into ticket_types (event_id, name, price, sold_count, is_first)
select e.id, 'Ticket', e.ticket_price, e.registration_count, true from events e;
`

/** Ticket types: every event has at least one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
