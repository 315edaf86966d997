import { type Kysely, sql } from 'kysely'

const tables = `
-- How many live registrations an event got, and how many of them came in, so that its statistics read some hundred rows instead of all.
-- Registrations stand at the quarter of an hour in which they were made, check-ins at their five minutes: every time zone's days begin
-- at a quarter. Kept by the triggers below, in the transaction of the change itself.
create table event_counts (
  event_id integer not null references events on delete cascade,
  at timestamptz not null,
  registrations integer not null default 0,
  checkins integer not null default 0,
  primary key (event_id, at)
) with (fillfactor = 50);

create function quarter_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('15 minutes', moment, timestamptz 'epoch')
$$;
create function five_minutes_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('5 minutes', moment, timestamptz 'epoch')
$$;

create function count_new_registrations() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, registrations)
  select event_id, quarter_of(registration_time), count(*) from added where status <> 'cancelled' group by 1, 2 order by 1, 2
  on conflict (event_id, at) do update set registrations = c.registrations + excluded.registrations;
  return null;
end $$;
create trigger registrations_counted after insert on registrations
  referencing new table as added for each statement execute function count_new_registrations();

create function count_changed_registrations() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, registrations, checkins)
  with changed as (
    -- Grouped, not joined with each other: a plan made for one row would compare thousands with thousands.
    select id, event_id, registration_time, sum(live) as live from (
      select id, event_id, registration_time, -1 as live from before where status <> 'cancelled'
      union all
      select id, event_id, registration_time, 1 from after where status <> 'cancelled'
    ) each group by 1, 2, 3 having sum(live) <> 0
  )
  select event_id, at, sum(registrations), sum(checkins) from (
    select event_id, quarter_of(registration_time) as at, live as registrations, 0 as checkins from changed
    union all
    select n.event_id, five_minutes_of(i.checkin_time), 0, n.live from changed n join checkins i on i.registration_id = n.id and i.status
  ) counted group by 1, 2 order by 1, 2
  on conflict (event_id, at) do update
    set registrations = c.registrations + excluded.registrations, checkins = c.checkins + excluded.checkins;
  return null;
end $$;
create trigger registrations_recounted after update on registrations
  referencing old table as before new table as after for each statement execute function count_changed_registrations();

-- Before, because the check-in goes with the registration. When the event itself goes, so do its counts.
create function count_removed_registration() returns trigger language plpgsql as $$
begin
  if old.status <> 'cancelled' and exists (select from events where id = old.event_id and removed_at is null) then
    update event_counts set registrations = registrations - 1
    where event_id = old.event_id and at = quarter_of(old.registration_time);
    update event_counts c set checkins = c.checkins - 1 from checkins i
    where i.registration_id = old.id and i.status and c.event_id = old.event_id and c.at = five_minutes_of(i.checkin_time);
  end if;
  return old;
end $$;
create trigger registrations_discounted before delete on registrations
  for each row execute function count_removed_registration();

create function count_new_checkins() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, checkins)
  select r.event_id, five_minutes_of(i.checkin_time), count(*)
  from added i join registrations r on r.id = i.registration_id where i.status and r.status <> 'cancelled' group by 1, 2 order by 1, 2
  on conflict (event_id, at) do update set checkins = c.checkins + excluded.checkins;
  return null;
end $$;
create trigger checkins_counted after insert on checkins
  referencing new table as added for each statement execute function count_new_checkins();

create function count_changed_checkins() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (event_id, at, checkins)
  select r.event_id, five_minutes_of(i.checkin_time), sum(i.change)
  from (
    select registration_id, checkin_time, -1 as change from before where status
    union all
    select registration_id, checkin_time, 1 from after where status
  ) i join registrations r on r.id = i.registration_id where r.status <> 'cancelled' group by 1, 2 order by 1, 2
  on conflict (event_id, at) do update set checkins = c.checkins + excluded.checkins;
  return null;
end $$;
create trigger checkins_recounted after update on checkins
  referencing old table as before new table as after for each statement execute function count_changed_checkins();

-- With the triggers made, nobody changes either table until this is done.
insert into event_counts (event_id, at, registrations, checkins)
select event_id, at, sum(registrations), sum(checkins) from (
  select event_id, quarter_of(registration_time) as at, 1 as registrations, 0 as checkins from registrations where status <> 'cancelled'
  union all
  select r.event_id, five_minutes_of(i.checkin_time), 0, 1
  from checkins i join registrations r on r.id = i.registration_id where i.status and r.status <> 'cancelled'
) counted group by 1, 2;
`

/** Counts of registrations and check-ins by time, kept as they change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
