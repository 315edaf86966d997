import { type Kysely, sql } from 'kysely'

const retention = `
-- How many days after an event personal data are deleted; 0: never. Clubs from before keep them until they decide.
alter table clubs add column keep_days integer not null default 0;
alter table clubs add constraint clubs_keep_days check (keep_days = 0 or keep_days between 30 and 3650);
-- Null: as the club has it.
alter table events add column keep_days integer;
alter table events add constraint events_keep_days check (keep_days = 0 or keep_days between 30 and 3650);
-- From when they may be deleted: a while after somebody could first have seen that they are due. Null: not due soon.
alter table events add column erase_from timestamptz;
-- When all personal data of the event were deleted.
alter table events add column erased_at timestamptz;
create index events_to_erase on events (ends_at) where erased_at is null and removed_at is null;
alter table registrations add column erased_at timestamptz;
-- Without a person there is nothing left of them. No row has one yet, so that none is read to find out.
alter table registrations add constraint registrations_erased
  check (erased_at is null or (name = '' and email = '' and phone = '' and others = '[]' and idempotency_key is null)) not valid;

-- An event that changes afterwards, or gets somebody new, is looked at again.
create function look_at_event_again() returns trigger language plpgsql as $$
begin
  new.erased_at := null;
  new.erase_from := null;
  return new;
end $$;
create trigger events_erased before update of registration_count, ends_at, keep_days on events for each row
  when (old.erased_at is not null and new.erased_at is not distinct from old.erased_at and (
    new.registration_count > old.registration_count or new.ends_at <> old.ends_at or new.keep_days is distinct from old.keep_days
  )) execute function look_at_event_again();

-- What those whose answers were deleted had chosen. Without an answer: how many had answered; empty: an answer that is no option.
create table erased_answers (
  question_id integer not null references form_questions on delete cascade,
  answer text,
  count integer not null check (count > 0),
  unique nulls not distinct (question_id, answer)
);

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in ('call off event', 'remove event', 'remove club', 'erase event'));
create unique index jobs_erase on jobs (event_id) where kind = 'erase event';

-- By which old rows are found; these tables grow in the order of time.
create index mails_created on mails using brin (created_at);
create index changes_at on changes using brin (at);
create index scans_received on scans using brin (received_at);
create index stripe_events_received on stripe_events using brin (received_at);
`

/** Personal data are deleted some time after an event, and tables that grow have limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(retention).execute(db)
}
