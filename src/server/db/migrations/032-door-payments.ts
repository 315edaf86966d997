import { type Kysely, sql } from 'kysely'

const columns = `
-- Money taken at the door: in which way, by whom and on which phone. No bank stands behind such a payment.
alter table payments add column taken_as text;
alter table payments add column taken_by text;
alter table payments add column taken_on text;
alter table payments add constraint payments_taken check (
  num_nulls(taken_as, taken_by, taken_on) = 3
  or num_nulls(taken_as, taken_by, taken_on) = 0 and status = 'paid' and payment_intent is null and session_id is null
    and request is null and ask_at is null and dispute is null and taken_as in ('cash', 'terminal')
) not valid;
-- A registration is paid at the door once; what was given back does not count.
create unique index payments_taken_once on payments (registration_id) where taken_as is not null and refunded < amount;

alter table refunds drop constraint refunds_reason_check;
alter table refunds add constraint refunds_reason_check check (reason in (
  'too late', 'staff', 'cancelled', 'event cancelled', 'paid twice', 'wrong amount', 'at Stripe', 'by hand', 'taken back'
)) not valid;

-- Nobody asks Stripe for money that it does not have, also not a server of an earlier version during an upgrade.
create function refuse_refund_of_door_money() returns trigger language plpgsql as $$
begin
  if exists (select from payments where id = new.payment_id and taken_as is not null) then
    raise exception 'money taken at the door goes back by hand' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refunds_by_hand before insert on refunds for each row
  when (new.reason not in ('by hand', 'taken back')) execute function refuse_refund_of_door_money();

-- The money that a phone took with a scan that was refused.
alter table scan_conflicts add column taken_as text check (taken_as in ('cash', 'terminal'));
alter table scan_conflicts add column taken_amount integer;
alter table scan_conflicts add column taken_currency text;
-- Whether it counts as a payment of the registration, so that it can be given back there.
alter table scan_conflicts add column is_money_kept boolean not null default false;
alter table scan_conflicts add constraint scan_conflicts_taken check (num_nulls(taken_as, taken_amount, taken_currency) in (0, 3));

alter table users drop constraint users_pass;
alter table users add constraint users_pass check (
  num_nulls(pass_may, pass_phones, pass_key, pass_hash, pass_made_by) = 5 and pass_revoked_at is null
  or num_nulls(pass_may, pass_phones, pass_key, pass_hash, pass_made_by) = 0 and pass_phones between 1 and 20
    and pass_may <@ array['tickets', 'redeem', 'search', 'walk-ins', 'take-money'] and cardinality(pass_may) > 0
    and team_role = 'door' and cardinality(event_ids) = 1 and email = '' and password_hash = ''
);
`

/** Unpaid tickets are paid at the door. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db)
}
