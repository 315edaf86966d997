import { type Kysely, sql } from 'kysely'

const tables = `
-- Set when an event or a club is removed. From then on it is invisible; its rows are deleted in the background, in chunks.
alter table events add column removed_at timestamptz;
alter table clubs add column removed_at timestamptz;
create index events_removed on events (id) where removed_at is not null;

-- Work on whole events and clubs that is done in short transactions, by whichever server takes it. A row is there until its work
-- is finished.
create table jobs (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('call off event', 'remove event', 'remove club')),
  event_id integer references events on delete cascade,
  club_id integer references clubs on delete cascade,
  -- The last row that is done, where the work goes through rows in the order of their ids.
  done_id integer not null default 0,
  attempts integer not null default 0,
  run_at timestamptz not null,
  created_at timestamptz not null,
  check ((kind = 'remove club') = (event_id is null)),
  check ((kind = 'remove club') = (club_id is not null))
);
create index jobs_due on jobs (run_at);
create index jobs_event on jobs (event_id) where event_id is not null;
create index jobs_club on jobs (club_id) where club_id is not null;

-- Nobody asks for the list of an event that is removed.
create or replace function note_removed_ticket() returns trigger language plpgsql as $$
begin
  insert into removed_tickets (registration_id, event_id)
  select old.id, old.event_id where exists (select from events where id = old.event_id and removed_at is null);
  return old;
end $$;

-- What a deletion looks up by its foreign keys.
create index changes_user on changes (user_id) where user_id is not null;
create index mails_club on mails (club_id);
create index mails_refund on mails (refund_id) where refund_id is not null;
create index payments_club on payments (club_id);
create index payments_event on payments (event_id);
-- Whether money of a payment is on its way back, asked for each payment of an event or a club.
create index refunds_queued on refunds (payment_id) where status = 'queued';

-- How often Stripe itself refused it: each further try needs a new idempotency key, or Stripe repeats its answer.
alter table refunds add column refusals integer not null default 0;
-- What the request with request_key asked for: 0 for all that is left; null where that was not kept.
alter table refunds add column request_amount integer check (request_amount >= 0);
`

/** Large actions of staff in chunks, removal in the background, refunds that are tried again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
