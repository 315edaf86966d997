import { type Kysely, sql } from 'kysely'

const tables = `
-- Vouchers on sale. One that is removed stays for those who bought it.
create table extras (
  id integer generated always as identity primary key,
  event_id integer not null references events on delete cascade,
  name text not null,
  description text not null,
  price integer not null check (price >= 0),
  content jsonb not null,
  max_quantity integer check (max_quantity > 0),
  sold_count integer not null default 0 check (sold_count >= 0),
  position integer not null,
  removed_at timestamptz,
  constraint extras_stock check (max_quantity is null or sold_count <= max_quantity)
);
create index extras_event on extras (event_id, position);

-- A voucher bought: name and price as they were then.
create table extras_purchases (
  id integer generated always as identity primary key,
  registration_id integer not null references registrations on delete cascade,
  extras_id integer not null references extras on delete cascade,
  name text not null,
  price integer not null check (price >= 0),
  qr_uuid uuid not null unique,
  status boolean not null default false,
  scanned_at timestamptz
);
create index extras_purchases_registration on extras_purchases (registration_id);
create index extras_purchases_extras on extras_purchases (extras_id);

create table purchase_units (
  purchase_id integer not null references extras_purchases on delete cascade,
  position integer not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  redeemed integer not null default 0,
  primary key (purchase_id, position),
  constraint purchase_units_redeemed check (redeemed between 0 and quantity)
);

-- Why a registration was cancelled; by a hold that ended it can be taken up again.
alter table registrations add column cancel_reason text check (cancel_reason in ('hold ended', 'staff', 'holder', 'refund'));
update registrations set cancel_reason = 'staff' where status = 'cancelled';
alter table registrations add constraint registrations_cancel_reason check ((status = 'cancelled') = (cancel_reason is not null));
create index registrations_holds on registrations (hold_expires_at) where status = 'pending';

-- One checkout session at Stripe. It stays when its registration, event or club is removed: money has no end.
create table payments (
  id integer generated always as identity primary key,
  key uuid not null unique,
  club_id integer references clubs on delete set null,
  event_id integer references events on delete set null,
  registration_id integer references registrations on delete set null,
  is_embedded boolean not null,
  request jsonb,
  session_id text unique,
  status text not null check (status in ('starting', 'open', 'paid', 'ended')),
  amount integer not null check (amount > 0),
  currency text not null,
  refunded integer not null default 0,
  payment_intent text unique,
  dispute text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  ask_at timestamptz,
  locked_until timestamptz,
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'open' or session_id is not null),
  constraint payments_refunded check (refunded between 0 and amount)
);
-- At most one session of a registration can be paid at any moment.
create unique index payments_live on payments (registration_id) where status in ('starting', 'open');
create index payments_registration on payments (registration_id);
create index payments_ask on payments (ask_at) where ask_at is not null;

create table refunds (
  id integer generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  payment_id integer not null references payments,
  -- The key of the request that asked for it, so that asking again gives nothing twice.
  request_key text unique,
  amount integer not null check (amount > 0),
  reason text not null check (reason in ('too late', 'staff', 'cancelled', 'event cancelled', 'paid twice', 'wrong amount', 'at Stripe')),
  status text not null default 'queued' check (status in ('queued', 'done', 'failed')),
  stripe_id text unique,
  attempts integer not null default 0,
  last_error text,
  run_at timestamptz not null,
  locked_until timestamptz,
  created_at timestamptz not null
);
create index refunds_payment on refunds (payment_id);
create index refunds_due on refunds (run_at) where status = 'queued';

-- What Stripe has told, each thing once.
create table stripe_events (
  id text primary key,
  body jsonb not null,
  received_at timestamptz not null,
  attempts integer not null default 0,
  run_at timestamptz not null,
  handled_at timestamptz
);
create index stripe_events_waiting on stripe_events (run_at) where handled_at is null;
alter table mails add column refund_id integer references refunds on delete cascade;

alter table changes drop constraint changes_subject_check;
alter table changes add constraint changes_subject_check
  check (subject in ('registration', 'checkin', 'event', 'club', 'user', 'form', 'page', 'extras'));

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in
  ('ticket', 'event cancelled', 'registration cancelled', 'place given back', 'password reset', 'refunded'));
`

/** Vouchers, and payment by card. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}
