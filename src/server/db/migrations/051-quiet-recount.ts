import { type Kysely, sql } from 'kysely'

const functions = `
create or replace function count_changed_checkins() returns trigger language plpgsql as $$
begin
  -- Letting somebody in for the first time is an "insert … on conflict do update", which also fires this, with nothing updated.
  if not exists (select from after) then return null; end if;
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
`

/** Check-ins are counted again only when some were changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(functions).execute(db)
}
