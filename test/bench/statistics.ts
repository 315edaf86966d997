import { sql } from 'kysely'
import type { Event } from '../../src/contract/event.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { fromAnswer, toRequest } from '../../src/contract/wire.ts'
import { startBench } from './bench-server.ts'
import { medianTime } from './median.ts'

// What the statistics of an event cost: one that sells nothing, and one with three ticket types, two vouchers and a payment for each
// registration. The tables are not analysed. All figures come from one run: compare them with each other.
const SIZES = (process.env.BENCH_SIZES ?? '10000,100000').split(',').map(Number)
const ROUNDS = 40
const { db, served, token, newEvent, meters, stop } = await startBench(3939)

/** So many registrations of an event over some weeks; of the confirmed ones, every third is checked in. */
async function fill(event: Event, count: number): Promise<void> {
  await sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, cancel_reason, amount, currency)
    select ${event.id}, ${event.clubId}, gen_random_uuid(), 'Visitor ' || n, 'visitor' || n || '@example.org', '+49301234567', '[]',
      'visitor ' || n, now() - n * interval '1 minute', case when n % 20 = 0 then 'cancelled' else 'confirmed' end,
      case when n % 20 = 0 then 'staff' end, 0, 'eur'
    from generate_series(1, ${count}) n
  `.execute(db)
  await sql`
    insert into checkins (registration_id, status, checkin_time, checked_in_by)
    select id, true, now(), 'Ana' from registrations where event_id = ${event.id} and status = 'confirmed' and id % 3 = 0
  `.execute(db)
}

/** Gives an event three ticket types and two vouchers; each registration has paid, every second for a voucher too. */
async function sell(event: Event): Promise<void> {
  await sql`
    insert into ticket_types (event_id, name, price, position) select ${event.id}, 'Type ' || n, 1000 * n, n from generate_series(2, 3) n
  `.execute(db)
  await sql`
    update registrations set amount = 1000 + case when id % 2 = 0 then 500 else 0 end,
      ticket_type_id = (select min(id) from ticket_types where event_id = ${event.id}) + id % 3
    where event_id = ${event.id}
  `.execute(db)
  await sql`
    insert into extras (event_id, name, description, price, content, position)
    select ${event.id}, 'Voucher ' || n, '', 500, '[]', n from generate_series(1, 2) n
  `.execute(db)
  await sql`
    insert into extras_purchases (registration_id, extras_id, name, price, qr_uuid, status)
    select id, (select min(id) from extras where event_id = ${event.id}) + id / 2 % 2, 'Voucher', 500, gen_random_uuid(), id % 3 = 0
    from registrations where event_id = ${event.id} and id % 2 = 0
  `.execute(db)
  await sql`
    insert into payments (key, club_id, event_id, registration_id, is_embedded, session_id, status, amount, currency, created_at, expires_at, paid_at)
    select gen_random_uuid(), club_id, event_id, id, false, 'session-' || id, 'paid', amount, 'eur', registration_time, registration_time, registration_time
    from registrations where event_id = ${event.id} and status = 'confirmed'
  `.execute(db)
}

try {
  for (const size of SIZES) {
    const plain = await newEvent(`Plain ${size}`)
    await fill(plain, size)
    const rich = await newEvent(`Rich ${size}`)
    await fill(rich, size)
    await sell(rich)
    for (const [what, event] of [
      ['plain', plain],
      ['with types, vouchers and payments', rich],
    ] as const) {
      const read = async () => {
        const { url } = toRequest(statisticsApi.getStatistics, { eventId: event.id, date: '2030-06-21' })
        const response = await fetch(served.url + url, { headers: { authorization: token } })
        return fromAnswer(statisticsApi.getStatistics, response.status, await response.json())
      }
      const time = await medianTime(ROUNDS, read)
      const before = [meters.server(), meters.database()] as const
      for (let n = 0; n < ROUNDS; n++) await read()
      const cpu = [meters.server() - before[0], meters.database() - before[1]].map((ms) => (ms / ROUNDS).toFixed(1))
      console.log(
        `${size.toLocaleString('en-GB')} registrations, ${what}: ${time.toFixed(1)} ms, CPU of server + PostgreSQL ${cpu.join(' + ')} ms`,
      )
    }
  }
} finally {
  await stop()
}
