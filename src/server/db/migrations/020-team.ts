import { type Kysely, sql } from 'kysely'

const tables = `
alter table users add column team_role text;
-- The only events that somebody at the door works on; null for all.
alter table users add column event_ids integer[];
-- Until when the invitation can be accepted; null for whoever has joined.
alter table users add column invited_until timestamptz;
update users set team_role = 'owner' where role = 'admin';
alter table users add constraint users_team_role check (
  (role = 'admin') = (team_role is not null) and team_role in ('owner', 'manager', 'treasurer', 'door')
);
alter table users add constraint users_event_ids check (event_ids is null or team_role = 'door');
-- A process of the version before adds users without a role.
create function be_an_owner() returns trigger language plpgsql as $$
begin
  if new.role = 'admin' and new.team_role is null then new.team_role := 'owner'; end if;
  return new;
end $$;
create trigger users_team_role before insert on users for each row execute function be_an_owner();
create index users_invited on users (invited_until) where invited_until is not null;

-- A club keeps an owner who can sign in. The lock makes two who lower or remove each other wait for one another.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform from clubs where id = old.club_id and removed_at is null for no key update;
  if found and not exists (
    select from users where club_id = old.club_id and team_role = 'owner' and invited_until is null
  ) then
    raise exception 'A club keeps an owner.' using errcode = 'check_violation', constraint = 'users_owner';
  end if;
  return null;
end $$;
create trigger users_owner_lowered after update of team_role on users
  for each row when (old.team_role = 'owner' and old.invited_until is null and new.team_role <> 'owner') execute function keep_an_owner();
create trigger users_owner_removed after delete on users
  for each row when (old.team_role = 'owner' and old.invited_until is null) execute function keep_an_owner();

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'email changed', 'refunded',
  'invitation'
)) not valid;
alter table mails drop constraint mails_about;
alter table mails add constraint mails_about check (
  (kind in ('password reset', 'email changed', 'invitation')) = (user_id is not null) and (user_id is null) = (registration_id is not null)
) not valid;
`

/** Roles in a club's team, and invitations to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
