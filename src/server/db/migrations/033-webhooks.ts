import { type Kysely, sql } from 'kysely'

const webhooks = `
-- Addresses of clubs' programs that are told what happens.
create table webhooks (
  id integer generated always as identity primary key,
  club_id integer not null references clubs on delete cascade,
  url text not null,
  -- The types of events that it is told of.
  events text[] not null check (cardinality(events) > 0),
  -- Signs each message, so it cannot be a hash.
  secret text not null,
  -- The one before, which signs too until then.
  old_secret text,
  old_secret_until timestamptz,
  paused_at timestamptz,
  paused_by text check (paused_by in ('team', 'failing')),
  -- Since when no try succeeded; null while none failed.
  failing_since timestamptz,
  created_at timestamptz not null,
  constraint webhooks_paused check ((paused_at is null) = (paused_by is null)),
  constraint webhooks_old_secret check ((old_secret is null) = (old_secret_until is null))
);
create index webhooks_club on webhooks (club_id);

-- One message to one webhook: the queue, and afterwards the log.
create table webhook_deliveries (
  id integer generated always as identity primary key,
  webhook_id integer not null references webhooks on delete cascade,
  -- The same on each try, so that a receiver can tell a repeated message.
  message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  type text not null,
  -- Exactly what is signed and sent, on each try. Ids, states and amounts; no personal data.
  body text not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- When it is tried next; null: at once.
  run_at timestamptz,
  locked_until timestamptz,
  first_tried_at timestamptz,
  last_tried_at timestamptz,
  -- The HTTP status of the last answer; null: there was none, and failure says why.
  answer_code integer,
  failure text check (failure in ('address', 'timeout', 'unreachable'))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, (coalesce(run_at, '-infinity'::timestamptz)), id) where status = 'waiting';
create index webhook_deliveries_tests on webhook_deliveries (webhook_id) where status = 'waiting' and type = 'webhook.test';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_created on webhook_deliveries using brin (created_at);

create function webhook_body(type text, data json) returns text language sql stable as $$
  select json_build_object('type', type, 'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text
$$;

-- The messages are written by the transaction of the event itself, whichever code it comes from: none is lost, and none tells of what was
-- rolled back. Each function first asks for the few webhooks of the clubs concerned, and ends there for clubs that have none. They are locked
-- as the foreign key would, so that one that is deleted meanwhile is passed over and does not fail a registration.
create function webhooks_of(club integer, event text) returns setof integer language sql volatile rows 1 as $$
  select id from webhooks where club_id = club and event = any(events) order by id for key share skip locked
$$;

create function tell_of_new_registrations() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks where club_id in (select club_id from added)) then return null; end if;
  insert into webhook_deliveries (webhook_id, type, body)
  select w, 'registration.created', webhook_body('registration.created', json_build_object('clubId', r.club_id, 'eventId', r.event_id,
    'registrationId', r.id, 'status', r.status, 'amount', r.amount, 'currency', r.currency))
  from added r cross join lateral webhooks_of(r.club_id, 'registration.created') w
  where r.status <> 'cancelled' order by r.id, w;
  return null;
end $$;
create trigger registrations_told after insert on registrations
  referencing new table as added for each statement execute function tell_of_new_registrations();

-- One that was cancelled and counts again is told like a new one.
create function tell_of_changed_registrations() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks where club_id in (select club_id from after)) then return null; end if;
  insert into webhook_deliveries (webhook_id, type, body)
  with changed as (
    -- Grouped, not joined with each other: a plan made for one row would compare thousands with thousands.
    select id, club_id, event_id, max(status) filter (where is_new) as status, max(amount) filter (where is_new) as amount,
      max(currency) filter (where is_new) as currency, max(cancel_reason) filter (where is_new) as reason,
      case when max(status) filter (where is_new) = 'cancelled' then 'registration.cancelled' else 'registration.created' end as type
    from (
      select id, club_id, event_id, status, amount, currency, cancel_reason, false as is_new from before
      union all
      select id, club_id, event_id, status, amount, currency, cancel_reason, true from after
    ) each group by 1, 2, 3 having count(*) filter (where status = 'cancelled') = 1 and count(*) = 2
  )
  select w, type, webhook_body(type, case status
    when 'cancelled' then json_build_object('clubId', club_id, 'eventId', event_id, 'registrationId', id, 'status', status,
      'amount', amount, 'currency', currency, 'reason', reason)
    else json_build_object('clubId', club_id, 'eventId', event_id, 'registrationId', id, 'status', status,
      'amount', amount, 'currency', currency)
    end)
  from changed cross join lateral webhooks_of(club_id, type) w order by id, w;
  return null;
end $$;
create trigger registrations_retold after update on registrations
  referencing old table as before new table as after for each statement execute function tell_of_changed_registrations();

create function tell_of_checkins() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks) then return null; end if;
  insert into webhook_deliveries (webhook_id, type, body)
  select w, 'ticket.checked_in', webhook_body('ticket.checked_in', json_build_object('clubId', r.club_id, 'eventId', r.event_id,
    'registrationId', r.id, 'checkedInAt', to_char(i.checkin_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  from after i join registrations r on r.id = i.registration_id
    cross join lateral webhooks_of(r.club_id, 'ticket.checked_in') w
  where i.status order by r.id, w;
  return null;
end $$;
create trigger checkins_told after insert on checkins
  referencing new table as after for each statement execute function tell_of_checkins();

-- Rows of payments, refunds and later check-ins change one by one.
create function tell_of_checkin_again() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, type, body)
  select w, 'ticket.checked_in', webhook_body('ticket.checked_in', json_build_object('clubId', r.club_id, 'eventId', r.event_id,
    'registrationId', r.id, 'checkedInAt', to_char(new.checkin_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  from registrations r cross join lateral webhooks_of(r.club_id, 'ticket.checked_in') w
  where r.id = new.registration_id order by w;
  return null;
end $$;
create trigger checkins_retold after update of status on checkins
  for each row when (new.status and not old.status) execute function tell_of_checkin_again();

create function tell_of_payment() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, type, body)
  select w, 'payment.received', webhook_body('payment.received', json_build_object('clubId', new.club_id, 'eventId', new.event_id,
    'registrationId', new.registration_id, 'paymentId', new.id, 'amount', new.amount, 'currency', new.currency))
  from webhooks_of(new.club_id, 'payment.received') w order by w;
  return null;
end $$;
create trigger payments_told after update of status on payments
  for each row when (new.status = 'paid' and old.status <> 'paid') execute function tell_of_payment();
-- Money that is taken at the door is paid from the start.
create trigger door_payments_told after insert on payments
  for each row when (new.status = 'paid') execute function tell_of_payment();

create function tell_of_refund() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, type, body)
  select w, 'payment.refunded', webhook_body('payment.refunded', json_build_object('clubId', p.club_id, 'eventId', p.event_id,
    'registrationId', p.registration_id, 'paymentId', p.id, 'refundId', new.id, 'amount', new.amount, 'currency', p.currency))
  from payments p cross join lateral webhooks_of(p.club_id, 'payment.refunded') w
  where p.id = new.payment_id order by w;
  return null;
end $$;
create trigger refunds_told after insert on refunds
  for each row when (new.status = 'done') execute function tell_of_refund();
create trigger refunds_retold after update of status on refunds
  for each row when (new.status = 'done' and old.status <> 'done') execute function tell_of_refund();
`

/** Clubs' programs are told what happens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(webhooks).execute(db)
}
