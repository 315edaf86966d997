import { type Kysely, sql } from 'kysely'

const columns = `
-- An order is paid with one session at Stripe. Each of its registrations has a payment of its own, a part; the first of them leads: it has
-- the session, and its key, its status and its dispute are those of all.
alter table payments add column lead_id integer;
-- Whether the session is that of an order's page, which shows the tickets of all: nobody else may be led there.
alter table payments add column is_order boolean not null default false;
alter table payments add constraint payments_lead foreign key (lead_id) references payments not valid;
alter table payments add constraint payments_part check (
  lead_id is null
  or session_id is null and payment_intent is null and request is null and taken_as is null and status <> 'open'
) not valid;
create index payments_parts on payments (lead_id) where lead_id is not null;

-- Servers of an earlier version, which may still run during an upgrade, know only the lead: what they end ends for its parts too.
create function end_parts() returns trigger language plpgsql as $$
begin
  update payments set status = 'ended', ask_at = null where lead_id = new.id and status = 'starting';
  return null;
end $$;
create trigger payments_end_parts after update of status on payments
  for each row when (new.status = 'ended' and old.status <> 'ended' and new.lead_id is null) execute function end_parts();

-- They must not settle an order, nor open a session for the lead's amount alone: a server of this version does so when it is asked again.
create function refuse_lead_alone() returns trigger language plpgsql as $$
begin
  if new.status = 'paid' and old.status <> 'paid' and current_setting('turnout.orders', true) is distinct from 'on' then
    raise exception 'all of an order are settled together';
  end if;
  if new.request is not null and new.request -> 'metadata' ->> 'people' is null then
    raise exception 'a session is for all of an order';
  end if;
  return new;
end $$;
create trigger payments_not_alone before update on payments
  for each row when (new.is_order and new.lead_id is null) execute function refuse_lead_alone();
`

/** Orders that cost something: one payment for several people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
