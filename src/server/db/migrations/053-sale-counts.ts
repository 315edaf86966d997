import { type Kysely, sql } from 'kysely'

const tables = `
-- Whoever changes what is counted waits until this is done, and then counts by the new rules.
lock table registrations, checkins, extras_purchases, payments, refunds in share row exclusive mode;

-- 0 for registrations that name no type: they have the event's first one.
alter table event_counts add column ticket_type_id integer not null default 0;
-- What the confirmed ones of these registrations had to pay, vouchers included.
alter table event_counts add column amount bigint not null default 0;
alter table event_counts drop constraint event_counts_pkey, drop constraint event_counts_event_id_fkey;

-- The vouchers that confirmed registrations of a ticket type have; the type is 0 where they name none.
create table voucher_counts (
  extras_id integer not null,
  ticket_type_id integer not null,
  sold integer not null default 0,
  redeemed integer not null default 0,
  -- The prices of those sold to registrations that had something to pay.
  amount bigint not null default 0
) with (fillfactor = 50);

-- The income of an event by the quarter of an hour in which it was paid or given back. Payments whose registration is gone do not count.
create table income_counts (
  event_id integer not null,
  currency text not null,
  at timestamptz not null,
  paid bigint not null default 0,
  -- What was given back of these payments, whenever that was, and what was lost of them in disputes.
  returned bigint not null default 0,
  lost bigint not null default 0,
  -- What was given back then, whenever it had been paid.
  refunded bigint not null default 0
) with (fillfactor = 50);

create index payments_taken on payments (event_id) where taken_as is not null;

create or replace function count_new_registrations() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, ticket_type_id, registrations, amount)
  select event_id, quarter_of(registration_time), coalesce(ticket_type_id, 0), count(*), coalesce(sum(amount) filter (where status = 'confirmed'), 0)
  from added where status <> 'cancelled' group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, at, ticket_type_id) do update
    set registrations = c.registrations + excluded.registrations, amount = c.amount + excluded.amount;
  return null;
end $$;

create or replace function count_changed_registrations() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, ticket_type_id, registrations, checkins, amount)
  with changed as (
    -- Grouped, not joined with each other: a plan made for one row would compare thousands with thousands.
    select id, event_id, registration_time, ticket_type_id, sum(live) as live, sum(amount) as amount from (
      select id, event_id, registration_time, coalesce(ticket_type_id, 0) as ticket_type_id, -1 as live,
        case status when 'confirmed' then -amount else 0 end as amount
      from before where status <> 'cancelled'
      union all
      select id, event_id, registration_time, coalesce(ticket_type_id, 0), 1, case status when 'confirmed' then amount else 0 end
      from after where status <> 'cancelled'
    ) each group by 1, 2, 3, 4 having sum(live) <> 0 or sum(amount) <> 0
  )
  select event_id, at, ticket_type_id, sum(registrations), sum(checkins), sum(amount) from (
    select event_id, quarter_of(registration_time) as at, ticket_type_id, live as registrations, 0 as checkins, amount from changed
    union all
    select n.event_id, five_minutes_of(i.checkin_time), n.ticket_type_id, 0, n.live, 0
    from changed n join checkins i on i.registration_id = n.id and i.status where n.live <> 0
  ) counted group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, at, ticket_type_id) do update set registrations = c.registrations + excluded.registrations,
    checkins = c.checkins + excluded.checkins, amount = c.amount + excluded.amount;

  insert into voucher_counts as c (extras_id, ticket_type_id, sold, redeemed, amount)
  select p.extras_id, n.ticket_type_id, sum(n.sold), coalesce(sum(n.sold) filter (where p.status), 0), sum(n.paid * p.price)
  from (
    select id, ticket_type_id, sum(sold) as sold, sum(paid) as paid from (
      select id, coalesce(ticket_type_id, 0) as ticket_type_id, -1 as sold, case when amount > 0 then -1 else 0 end as paid
      from before where status = 'confirmed'
      union all
      select id, coalesce(ticket_type_id, 0), 1, case when amount > 0 then 1 else 0 end from after where status = 'confirmed'
    ) each group by 1, 2 having sum(sold) <> 0 or sum(paid) <> 0
  ) n cross join lateral (select extras_id, status, price from extras_purchases where registration_id = n.id offset 0) p
  group by 1, 2 order by 1, 2
  on conflict (extras_id, ticket_type_id) do update
    set sold = c.sold + excluded.sold, redeemed = c.redeemed + excluded.redeemed, amount = c.amount + excluded.amount;
  return null;
end $$;

-- As in 013, and what the registration paid and its vouchers with it: they go with the registration.
create or replace function count_removed_registration() returns trigger language plpgsql as $$
begin
  if old.status <> 'cancelled' and exists (select from events where id = old.event_id and removed_at is null) then
    update event_counts set registrations = registrations - 1, amount = amount - case old.status when 'confirmed' then old.amount else 0 end
    where event_id = old.event_id and at = quarter_of(old.registration_time) and ticket_type_id = coalesce(old.ticket_type_id, 0);
    update event_counts c set checkins = c.checkins - 1 from checkins i
    where i.registration_id = old.id and i.status and c.event_id = old.event_id and c.at = five_minutes_of(i.checkin_time)
      and c.ticket_type_id = coalesce(old.ticket_type_id, 0);
    update voucher_counts c set sold = c.sold - p.sold, redeemed = c.redeemed - p.redeemed, amount = c.amount - p.amount
    from (
      select extras_id, count(*) as sold, count(*) filter (where status) as redeemed, case when old.amount > 0 then sum(price) else 0 end as amount
      from extras_purchases where registration_id = old.id and old.status = 'confirmed' group by 1
    ) p
    where c.extras_id = p.extras_id and c.ticket_type_id = coalesce(old.ticket_type_id, 0);
  end if;
  return old;
end $$;

create or replace function count_new_checkins() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, ticket_type_id, checkins)
  select r.event_id, five_minutes_of(i.checkin_time), coalesce(r.ticket_type_id, 0), count(*)
  from added i join registrations r on r.id = i.registration_id where i.status and r.status <> 'cancelled' group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, at, ticket_type_id) do update set checkins = c.checkins + excluded.checkins;
  return null;
end $$;

create or replace function count_changed_checkins() returns trigger language plpgsql as $$
begin
  -- Letting somebody in for the first time is an "insert … on conflict do update", which also fires this, with nothing updated.
  if not exists (select from after) then return null; end if;
  insert into event_counts as c (event_id, at, ticket_type_id, checkins)
  select r.event_id, five_minutes_of(i.checkin_time), coalesce(r.ticket_type_id, 0), sum(i.change)
  from (
    select registration_id, checkin_time, -1 as change from before where status
    union all
    select registration_id, checkin_time, 1 from after where status
  ) i join registrations r on r.id = i.registration_id where r.status <> 'cancelled'
  -- Who goes out or comes back is counted already.
  group by 1, 2, 3 having sum(i.change) <> 0 order by 1, 2, 3
  on conflict (event_id, at, ticket_type_id) do update set checkins = c.checkins + excluded.checkins;
  return null;
end $$;

create function count_new_purchases() returns trigger language plpgsql as $$
begin
  insert into voucher_counts as c (extras_id, ticket_type_id, sold, redeemed, amount)
  select p.extras_id, coalesce(r.ticket_type_id, 0), count(*), count(*) filter (where p.status), coalesce(sum(p.price) filter (where r.amount > 0), 0)
  from added p cross join lateral (
    select ticket_type_id, amount from registrations where id = p.registration_id and status = 'confirmed' offset 0
  ) r group by 1, 2 order by 1, 2
  on conflict (extras_id, ticket_type_id) do update
    set sold = c.sold + excluded.sold, redeemed = c.redeemed + excluded.redeemed, amount = c.amount + excluded.amount;
  return null;
end $$;
create trigger extras_purchases_counted after insert on extras_purchases
  referencing new table as added for each statement execute function count_new_purchases();

create function count_changed_purchases() returns trigger language plpgsql as $$
begin
  insert into voucher_counts as c (extras_id, ticket_type_id, redeemed, amount)
  select p.extras_id, coalesce(r.ticket_type_id, 0), sum(p.redeemed), coalesce(sum(p.price) filter (where r.amount > 0), 0)
  from (
    select registration_id, extras_id, sum(redeemed) as redeemed, sum(price) as price from (
      select registration_id, extras_id, -status::int as redeemed, -price as price from before
      union all
      select registration_id, extras_id, status::int, price from after
    ) each group by 1, 2 having sum(redeemed) <> 0 or sum(price) <> 0
  ) p cross join lateral (
    select ticket_type_id, amount from registrations where id = p.registration_id and status = 'confirmed' offset 0
  ) r group by 1, 2 order by 1, 2
  on conflict (extras_id, ticket_type_id) do update set redeemed = c.redeemed + excluded.redeemed, amount = c.amount + excluded.amount;
  return null;
end $$;
create trigger extras_purchases_recounted after update on extras_purchases
  referencing old table as before new table as after for each statement execute function count_changed_purchases();

create function count_new_payments() returns trigger language plpgsql as $$
begin
  insert into income_counts as c (event_id, currency, at, paid, returned, lost)
  select event_id, currency, quarter_of(paid_at), sum(amount), sum(refunded), coalesce(sum(amount - refunded) filter (where dispute = 'lost'), 0)
  from added where status = 'paid' and registration_id is not null and exists (select from events where id = event_id and removed_at is null)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, currency, at) do update
    set paid = c.paid + excluded.paid, returned = c.returned + excluded.returned, lost = c.lost + excluded.lost;
  return null;
end $$;
create trigger payments_counted after insert on payments
  referencing new table as added for each statement execute function count_new_payments();

create function count_changed_payments() returns trigger language plpgsql as $$
begin
  if not exists (select from before where status = 'paid') and not exists (select from after where status = 'paid') then return null; end if;
  insert into income_counts as c (event_id, currency, at, paid, returned, lost, refunded)
  with changed as (
    select id, event_id, currency, paid_at, sum(change) as change, sum(change * amount) as paid, sum(change * refunded) as returned,
      sum(case dispute when 'lost' then change * (amount - refunded) else 0 end) as lost
    from (select *, -1 as change from before union all select *, 1 from after) each
    where status = 'paid' and event_id is not null and registration_id is not null
    group by 1, 2, 3, 4
  )
  select event_id, currency, at, sum(paid), sum(returned), sum(lost), sum(refunded) from (
    select event_id, currency, quarter_of(paid_at) as at, paid, returned, lost, 0 as refunded from changed
    where paid <> 0 or returned <> 0 or lost <> 0
    union all
    -- A payment that begins or ends to count brings its refunds with it.
    select n.event_id, n.currency, quarter_of(f.created_at), 0, 0, 0, n.change * f.amount
    from changed n cross join lateral (select created_at, amount from refunds where payment_id = n.id and status <> 'failed' offset 0) f
    where n.change <> 0
  ) counted
  -- When the event goes, so do its counts.
  where exists (select from events where id = event_id and removed_at is null) group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, currency, at) do update set paid = c.paid + excluded.paid, returned = c.returned + excluded.returned,
    lost = c.lost + excluded.lost, refunded = c.refunded + excluded.refunded;
  return null;
end $$;
create trigger payments_recounted after update on payments
  referencing old table as before new table as after for each statement execute function count_changed_payments();

create function count_new_refunds() returns trigger language plpgsql as $$
begin
  insert into income_counts as c (event_id, currency, at, refunded)
  select p.event_id, p.currency, quarter_of(f.created_at), sum(f.amount)
  from added f cross join lateral (
    select event_id, currency from payments
    where id = f.payment_id and status = 'paid' and registration_id is not null
      and exists (select from events where id = event_id and removed_at is null) offset 0
  ) p where f.status <> 'failed' group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, currency, at) do update set refunded = c.refunded + excluded.refunded;
  return null;
end $$;
create trigger refunds_counted after insert on refunds
  referencing new table as added for each statement execute function count_new_refunds();

create function count_changed_refunds() returns trigger language plpgsql as $$
begin
  insert into income_counts as c (event_id, currency, at, refunded)
  select p.event_id, p.currency, quarter_of(f.created_at), sum(f.amount)
  from (
    select payment_id, created_at, sum(amount) as amount from (
      select payment_id, created_at, -amount as amount from before where status <> 'failed'
      union all
      select payment_id, created_at, amount from after where status <> 'failed'
    ) each group by 1, 2 having sum(amount) <> 0
  ) f cross join lateral (
    select event_id, currency from payments
    where id = f.payment_id and status = 'paid' and registration_id is not null
      and exists (select from events where id = event_id and removed_at is null) offset 0
  ) p group by 1, 2, 3 order by 1, 2, 3
  on conflict (event_id, currency, at) do update set refunded = c.refunded + excluded.refunded;
  return null;
end $$;
create trigger refunds_recounted after update on refunds
  referencing old table as before new table as after for each statement execute function count_changed_refunds();

-- Counted anew: nobody changes what is counted until this is done.
truncate event_counts;
insert into event_counts (event_id, at, ticket_type_id, registrations, checkins, amount)
select event_id, at, ticket_type_id, sum(registrations), sum(checkins), sum(amount) from (
  select event_id, quarter_of(registration_time) as at, coalesce(ticket_type_id, 0) as ticket_type_id, 1 as registrations, 0 as checkins,
    case status when 'confirmed' then amount else 0 end as amount
  from registrations where status <> 'cancelled'
  union all
  select r.event_id, five_minutes_of(i.checkin_time), coalesce(r.ticket_type_id, 0), 0, 1, 0
  from checkins i join registrations r on r.id = i.registration_id where i.status and r.status <> 'cancelled'
) counted group by 1, 2, 3;
insert into voucher_counts (extras_id, ticket_type_id, sold, redeemed, amount)
select p.extras_id, coalesce(r.ticket_type_id, 0), count(*), count(*) filter (where p.status), coalesce(sum(p.price) filter (where r.amount > 0), 0)
from extras_purchases p join registrations r on r.id = p.registration_id where r.status = 'confirmed' group by 1, 2;
insert into income_counts (event_id, currency, at, paid, returned, lost, refunded)
with income as (select * from payments where status = 'paid' and event_id is not null and registration_id is not null)
select event_id, currency, at, sum(paid), sum(returned), sum(lost), sum(refunded) from (
  select event_id, currency, quarter_of(paid_at) as at, amount as paid, refunded as returned,
    case dispute when 'lost' then amount - refunded else 0 end as lost, 0 as refunded
  from income
  union all
  select p.event_id, p.currency, quarter_of(f.created_at), 0, 0, 0, f.amount
  from income p join refunds f on f.payment_id = p.id and f.status <> 'failed'
) counted group by 1, 2, 3;

-- Last, since checking all rows at once takes less than each by itself.
alter table event_counts add primary key (event_id, at, ticket_type_id), add foreign key (event_id) references events on delete cascade;
alter table voucher_counts add primary key (extras_id, ticket_type_id), add foreign key (extras_id) references extras on delete cascade;
alter table income_counts add primary key (event_id, currency, at), add foreign key (event_id) references events on delete cascade;
`

/** Counts by ticket type, vouchers sold and income, kept as they change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
