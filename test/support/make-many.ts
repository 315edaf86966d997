import { sql } from 'kysely'
import type { Event } from '../../src/contract/event.ts'
import type { TestApp } from './start-app.ts'

/**
 * Inserts confirmed registrations in one statement, with the same rows as if each had been made on its own. With an amount they are
 * paid, but unknown to any bank. Returns their ids.
 */
export async function makeMany(app: TestApp, { id }: Pick<Event, 'id'>, count: number, amount = 0): Promise<number[]> {
  const { now } = app.clock
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
        status, amount, currency)
      select e.id, e.club_id, gen_random_uuid(), 'Guest ' || n, 'guest' || n || '@example.org', '', '[]', 'guest ' || n, ${now},
        'confirmed', ${amount}::int, e.currency
      from events e, generate_series(1, ${count}::int) n where e.id = ${id}
      returning *
    ),
    seats as (update events set registration_count = registration_count + ${count}::int where id = ${id}),
    tickets as (
      insert into mails (club_id, registration_id, kind, status, sent_at, run_at, created_at)
      select club_id, id, 'ticket', 'sent', ${now}, ${now}, ${now} from made
    ),
    paid as (
      insert into payments (key, club_id, event_id, registration_id, is_embedded, session_id, status, amount, currency,
        payment_intent, created_at, expires_at, paid_at)
      select gen_random_uuid(), club_id, event_id, id, false, 'cs_many_' || id, 'paid', amount, currency, 'pi_many_' || id,
        ${now}, ${now}, ${now}
      from made where amount > 0
    )
    select id from made order by id
  `.execute(app.deps.db)
  return rows.map((row) => row.id)
}
