import { type Kysely, sql } from 'kysely'

const lists = `
-- First, since whoever changes a registration locks that table before the check-ins.
-- All registrations of an event are counted by those that live, which the event knows, and these.
create index registrations_cancelled on registrations (event_id) where status = 'cancelled';

-- The list by check-in is read in its order along an index, for which a check-in has to know its event. Whoever inserts one without it
-- (a process of the version before) gets it from the registration.
alter table checkins add column event_id integer;
create function set_event_of_checkin() returns trigger language plpgsql as $$
begin
  select event_id into new.event_id from registrations where id = new.registration_id;
  return new;
end $$;
create trigger checkins_event before insert on checkins
  for each row when (new.event_id is null) execute function set_event_of_checkin();
-- No phone and no count has to hear of it.
alter table checkins disable trigger checkins_door, disable trigger checkins_recounted;
update checkins c set event_id = r.event_id from registrations r where r.id = c.registration_id;
alter table checkins enable trigger checkins_door, enable trigger checkins_recounted;
alter table checkins alter column event_id set not null;
create index checkins_list on checkins (event_id, checkin_time desc, registration_id desc) where checkin_time is not null;
`

/** Indexes for reading and counting the attendee list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(lists).execute(db)
}
