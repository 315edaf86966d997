import { sql } from 'kysely'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import { fromAnswer, toRequest } from '../../src/contract/wire.ts'
import { makeCallerOf } from '../../src/server/access/caller.ts'
import { makeOwnEvent } from '../../src/server/access/own-event.ts'
import { listAttendees } from '../../src/server/attendees/list.ts'
import { startBench } from './bench-server.ts'
import { median, medianTime } from './median.ts'

// The attendee list of an event with 100,000 registrations, compared with the plain indexed query behind each page, and
// the cost of exporting all of them. All figures come from one run: compare them with each other.
const COUNT = 100_000
/** How many an event has whose whole list is read. */
const FEWER = 10_000
const ROUNDS = 20
const TURNS = 5
const { db, served, token, newEvent, memory, meters, stop } = await startBench(3932)

try {
  const event = await newEvent('Huge')
  await sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, cancel_reason, amount, currency)
    select ${event.id}, ${event.clubId}, gen_random_uuid(), 'Visitor ' || n, 'visitor' || n || '@example.org', '+49301234567', '[]',
      'visitor ' || n || ' visitor' || n || '@example.org 49301234567', now() - n * interval '1 second', case when n % 20 = 0 then 'cancelled' else 'confirmed' end, case when n % 20 = 0 then 'staff' end, 0, 'eur'
    from generate_series(1, ${COUNT}) n
  `.execute(db)
  await sql`
    insert into checkins (registration_id, status, checkin_time, checked_in_by)
    select id, true, now(), 'Ana' from registrations where event_id = ${event.id} and status = 'confirmed' and id % 3 = 0
  `.execute(db)
  await sql`
    update events set registration_count = (select count(*) from registrations where event_id = ${event.id} and status = 'confirmed')
    where id = ${event.id}
  `.execute(db)
  await sql`analyze`.execute(db)

  const inputOf = (filters: Partial<Input<typeof attendeeApi.getAttendees>>) => ({
    ...{ eventId: event.id, searchKeyword: '', sortBy: 'registration' as const, limit: 100 },
    ...filters,
  })
  const list = (filters: Parameters<typeof inputOf>[0]) => async () => {
    const input = inputOf(filters)
    const { url } = toRequest(attendeeApi.getAttendees, input)
    const response = await fetch(served.url + url, { headers: { authorization: token } })
    const { payload } = fromAnswer(attendeeApi.getAttendees, response.status, await response.json())
    return payload
  }
  const caller = await makeCallerOf(db)(token, new Date())
  const own = caller && (await makeOwnEvent(db)(caller, event.id))
  if (caller?.role !== 'admin' || !own) throw new Error('They were just made.')
  /** The same page as the server makes it once session and event are known, without HTTP. */
  const made = (filters: Parameters<typeof inputOf>[0]) => () => listAttendees({ db }, caller, own, inputOf(filters))
  const plain = (condition: ReturnType<typeof sql>, isByState: boolean) => () =>
    Promise.all([
      sql`select * from registrations r where r.event_id = ${event.id} and ${condition} order by registration_time desc, id desc limit 100`.execute(
        db,
      ),
      (isByState
        ? sql`
            select r.status, coalesce(c.status, false), count(*)
            from registrations r left join checkins c on c.registration_id = r.id
            where r.event_id = ${event.id} and ${condition} group by 1, 2
          `
        : sql`select count(*) from registrations r where r.event_id = ${event.id} and ${condition}`
      ).execute(db),
    ])

  console.log(
    `Attendee list of ${COUNT.toLocaleString('en-GB')}: a page of 100 over HTTP beside the plain query of the page and its count, in ms, with the CPU of PostgreSQL and of the server; alone: without HTTP, session and event\n`,
  )
  const cases: {
    name: string
    filters: Parameters<typeof list>[0]
    condition: ReturnType<typeof sql>
    isByState?: boolean
  }[] = [
    { name: 'first page', filters: {}, condition: sql`true` },
    {
      name: 'search for one',
      filters: { searchKeyword: 'visitor54321@' },
      condition: sql`r.search_text like '%visitor54321@%'`,
    },
    {
      name: 'search for 20',
      filters: { searchKeyword: 'visitor 5432' },
      condition: sql`r.search_text like '%visitor%' and r.search_text like '%5432%'`,
    },
    {
      name: 'search for all',
      filters: { searchKeyword: 'visitor' },
      condition: sql`r.search_text like '%visitor%'`,
    },
    {
      // The page has these numbers at its filters.
      name: 'same, by state',
      filters: { searchKeyword: 'visitor' },
      condition: sql`r.search_text like '%visitor%'`,
      isByState: true,
    },
    { name: 'filter by status', filters: { status: 'cancelled' }, condition: sql`r.status = 'cancelled'` },
    {
      name: 'filter by check-in',
      filters: { checkin: false },
      condition: sql`not exists (select from checkins c where c.registration_id = r.id and c.status)`,
    },
    { name: 'by name', filters: { sortBy: 'name' }, condition: sql`true` },
    { name: 'by check-in', filters: { sortBy: 'checkin' }, condition: sql`true` },
  ]
  /** The median time of a call, and the CPU time of PostgreSQL and of the server for one, all in ms. */
  const measure = async (work: () => Promise<unknown>) => {
    // Warm, before the CPU is measured.
    const time = await medianTime(ROUNDS, work)
    const before = [meters.database(), meters.server()] as const
    for (let n = 0; n < ROUNDS; n++) await work()
    return { time, cpu: (meters.database() - before[0]) / ROUNDS, server: (meters.server() - before[1]) / ROUNDS }
  }
  // Warms the server and this process up, so that V8 has compiled their code before the first case.
  await medianTime(10 * ROUNDS, list({}))
  await medianTime(10 * ROUNDS, made({}))
  for (const { name, filters, condition, isByState = false } of cases) {
    // By turns, so that a slow moment of the machine slows all three.
    const turns: Record<'plain' | 'page' | 'made', Awaited<ReturnType<typeof measure>>>[] = []
    for (let turn = 0; turn < TURNS; turn++)
      turns.push({
        plain: await measure(plain(condition, isByState)),
        page: await measure(list(filters)),
        made: await measure(made(filters)),
      })
    const of = (which: 'plain' | 'page' | 'made', what: 'time' | 'cpu' | 'server') =>
      median(turns.map((turn) => turn[which][what]))
    const beside = (which: 'page' | 'made', what: 'time' | 'cpu') => {
      const [own, least] = [of(which, what), of('plain', what)]
      return `${own.toFixed(1).padStart(5)} beside ${least.toFixed(1).padStart(5)} ${(own / least).toFixed(1).padStart(4)} ×`
    }
    const server = of('page', 'server').toFixed(1).padStart(5)
    console.log(
      `${name.padEnd(20)}${beside('page', 'time')}   CPU ${beside('page', 'cpu')}, server ${server}   alone ${beside('made', 'time')}   CPU ${beside('made', 'cpu')}`,
    )
  }

  const others = Array.from({ length: 4 }, (_, n) => ({
    qId: n + 1,
    question: `Question ${n + 1}`,
    answer: 'An answer of some words',
  }))
  const fewer = await newEvent('Ten thousand')
  await sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, amount, currency)
    select ${fewer.id}, club_id, gen_random_uuid(), name, email, phone, ${JSON.stringify(others)}::jsonb, search_text, registration_time, 'confirmed', 0, 'eur'
    from registrations where event_id = ${event.id} order by id limit ${FEWER}
  `.execute(db)
  const whole = async () => {
    let pages = 0
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      const page = await list({ eventId: fewer.id, limit: 1000, ...(cursor && { cursor }) })()
      cursor = page.nextCursor
    }
    return pages
  }
  console.log(
    `\nall of ${FEWER.toLocaleString('en-GB')} with answers, in ${await whole()} pages one after the other: ${(await medianTime(5, whole)).toFixed(0)} ms`,
  )

  const before = memory()
  const cpuBefore = [meters.server(), meters.database()] as const
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 20)
  const start = performance.now()
  const { url } = toRequest(attendeeApi.downloadAttendees, { eventId: event.id })
  const response = await fetch(served.url + url, { headers: { authorization: token } })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  clearInterval(watch)
  const seconds = (performance.now() - start) / 1000
  const spent = [meters.server() - cpuBefore[0], meters.database() - cpuBefore[1]].map((ms) => (ms / 1000).toFixed(1))
  console.log(
    `\nexport of all: ${seconds.toFixed(1)} s, CPU of server + PostgreSQL ${spent.join(' + ')} s, ${(bytes / 1e6).toFixed(1)} MB, memory grew by ${(most - before).toFixed(0)} MB (from ${before.toFixed(0)} MB)`,
  )
} finally {
  await stop()
}
