import { type Kysely, sql } from 'kysely'

const history = `
-- Whoever was in a club's team and is not any more: the history still says who did something.
create table former_users (
  id integer primary key,
  club_id integer not null references clubs on delete cascade,
  full_name text not null
);
create index former_users_club on former_users (club_id);
create function keep_former_user() returns trigger language plpgsql as $$
begin
  insert into former_users (id, club_id, full_name)
  select old.id, old.club_id, old.full_name where exists (select from clubs where id = old.club_id and removed_at is null);
  return null;
end $$;
-- Whoever did not accept an invitation is forgotten.
create trigger users_former after delete on users
  for each row when (old.club_id is not null and old.invited_until is null) execute function keep_former_user();

-- The id of whoever did it stays when they leave.
alter table changes drop constraint changes_user_id_fkey;
drop index changes_user;
-- As with the foreign key, a removal and what the person does at that moment wait for each other.
create function check_user_of_change() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for key share;
  if not found then
    raise foreign_key_violation using message = 'The user has been removed.', constraint = 'changes_user_id_fkey';
  end if;
  return new;
end $$;
create trigger changes_user before insert on changes for each row when (new.user_id is not null) execute function check_user_of_change();

-- The event that a change of the team is about, so that the history can be read by event. Found by the database for whatever logs it.
alter table changes add column event_id integer;
update changes set event_id = subject_id where user_id is not null and subject in ('event', 'form');
update changes c set event_id = x.event_id from extras x where c.user_id is not null and c.subject = 'extras' and x.id = c.subject_id;
update changes c set event_id = r.event_id from registrations r
  where c.user_id is not null and c.subject in ('registration', 'checkin') and r.id = c.subject_id;
create function set_event_of_change() returns trigger language plpgsql as $$
begin
  if new.subject in ('event', 'form') then new.event_id := new.subject_id;
  elsif new.subject = 'extras' then select event_id into new.event_id from extras where id = new.subject_id;
  else select event_id into new.event_id from registrations where id = new.subject_id;
  end if;
  return new;
end $$;
create trigger changes_event before insert on changes for each row
  when (new.user_id is not null and new.event_id is null and new.subject in ('event', 'form', 'extras', 'registration', 'checkin'))
  execute function set_event_of_change();

-- The history of a club, latest first: all of it, and by person, by event and by subject. What visitors and the server did is not in it.
create index changes_history on changes (club_id, id) where user_id is not null;
create index changes_by_person on changes (club_id, user_id, id) where user_id is not null;
create index changes_by_event on changes (club_id, event_id, id) where user_id is not null and event_id is not null;
create index changes_by_subject on changes (club_id, subject, id) where user_id is not null;
-- The rows about money are few among those of registrations.
create index changes_of_money on changes (club_id, id) where user_id is not null and action in ('refund', 'refunds tried again');
`

/** The history that a club reads, along indexes of the log of changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(history).execute(db)
}
