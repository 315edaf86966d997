/** Rows of every kind in a database of the version whose last migration is 006-door. */
export const oldRows = `
insert into clubs (name, location, description, email, phone, website, currency, time_zone, created_at)
  values ('Rowing', '', '', '', '', '', 'eur', 'Europe/Berlin', now());
insert into users (role, full_name, email, password_hash, club_id, created_at)
  values ('admin', 'Ana', 'ana@example.org', 'x', 1, now()), ('sudo', 'Sue', 'sue@example.org', 'x', null, now());
insert into password_resets values (1, 'hash', now() + interval '1 hour');
insert into sign_in_tries values ('email:x', now(), 3);
insert into events (club_id, name, description, location, starts_at, ends_at, time_zone, max_attendees, registration_count,
  ticket_price, currency, status, created_at)
  values (1, 'Regatta', '**Bold**', '', now(), now() + interval '1 day', 'Europe/Berlin', 10, 2, 500, 'eur', 'published', now());
insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, registration_time, status, hold_expires_at, amount,
  currency) values
  (1, 1, gen_random_uuid(), 'Bo', 'bo@example.org', '', '[]', now(), 'confirmed', null, 500, 'eur'),
  (1, 1, gen_random_uuid(), 'Cy', 'cy@example.org', '', '[]', now(), 'pending', now() + interval '10 minutes', 500, 'eur');
insert into changes (at, club_id, subject, subject_id, action) values
  (now(), 1, 'registration', 1, 'registered'), (now(), 1, 'registration', 2, 'registered'), (now(), 1, 'checkin', 1, 'checked in');
insert into checkins (registration_id, status, checkin_time, checked_in_by) values (1, true, now(), 'Ana');
insert into payments (key, club_id, event_id, registration_id, is_embedded, status, amount, currency, payment_intent, created_at,
  expires_at, paid_at, session_id) values
  (gen_random_uuid(), 1, 1, 1, false, 'paid', 500, 'eur', 'pi_1', now(), now(), now(), 'cs_1'),
  (gen_random_uuid(), 1, 1, 2, false, 'open', 500, 'eur', null, now(), now() + interval '10 minutes', null, 'cs_2');
insert into mails (club_id, registration_id, user_id, kind, status, run_at, created_at, sent_at) values
  (1, 1, null, 'ticket', 'sent', now(), now(), now()), (1, 1, null, 'ticket', 'queued', now(), now(), null),
  (1, null, 1, 'password reset', 'failed', now(), now(), null), (1, 2, null, 'ticket', 'dropped', now(), now(), null);
insert into extras (event_id, name, description, price, content, position, sold_count) values (1, 'Soup', '', 300, '[]', 1, 2);
insert into extras_purchases (registration_id, extras_id, name, price, qr_uuid, status)
  values (1, 1, 'Soup', 300, gen_random_uuid(), true), (2, 1, 'Soup', 300, gen_random_uuid(), false);
insert into purchase_units (purchase_id, position, name, quantity, redeemed) values (1, 0, 'Soup', 1, 1), (2, 0, 'Soup', 1, 0);
update payments set refunded = 200 where id = 1;
insert into refunds (payment_id, amount, reason, status, run_at, created_at) values (1, 200, 'staff', 'done', now(), now());
insert into pages values ('terms', 'Be nice.', now());
`
