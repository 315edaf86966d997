import { fork } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { toRequest } from '../../src/contract/wire.ts'
import { placeRegistrations } from '../../src/server/places/place-queries.ts'
import { lockEvents } from '../../src/server/places/seat-queries.ts'
import { ADMIN, startBench } from './bench-server.ts'
import { cpuOf } from './cpu.ts'
import { type Figure, measure, row } from './load.ts'
import { registrationBody } from './registration-body.ts'

// All figures come from one run on one database, fsync on: compare them with each other, not with another machine's.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
/** A whole minute, since workers do some things only once a minute. */
const IDLE_SECONDS = 60
/** The number of registrations in the event each time the same rush is measured; the tables are not analysed in between. */
const SIZES = (process.env.BENCH_SIZES ?? '0,20000,100000').split(',').map(Number)
const DESCRIPTION =
  '## What to expect\n\nAn evening with **friends** and [music](https://example.org).\n\n- Doors at six\n- Bring a cup\n\n'
const { db, served, meters, token, newEvent, memory, stop } = await startBench(3931)
let counter = 0

const post = (path: string, body: () => string) => ({ method: 'POST' as const, path, body })
const get = (path: string) => ({ method: 'GET' as const, path })
const load = (request: Parameters<typeof measure>[1], connections: number, amount?: number) =>
  measure(served.url, request, { connections, seconds: SECONDS, amount }, meters)

/** A bare Fastify, the fastest possible answer over HTTP here. */
async function floorOf(body: () => string): Promise<Figure> {
  const port = 3930
  const child = fork(join(import.meta.dirname, 'floor.ts'), [String(port)])
  await once(child, 'message')
  const pid = child.pid ?? 0
  const request = { method: 'POST' as const, path: '/', body }
  const own = { server: () => cpuOf(pid), database: () => 0 }
  const ask = (seconds: number) => measure(`http://127.0.0.1:${port}`, request, { connections: 64, seconds }, own)
  await ask(2)
  const figure = await ask(SECONDS)
  child.kill()
  return figure
}

function newRegistration(event: Event) {
  const n = ++counter
  return {
    eventId: event.id,
    name: `Alone ${n}`,
    email: `alone${n}@example.org`,
    phone: '+49 30 1234567',
    others: [],
    qrUuid: randomUUID(),
    amount: 0,
    holdExpiresAt: null,
    idempotencyKey: `alone-${n}`,
    isLimited: false,
    ticketTypeId: null,
    codeId: null,
    discount: 0,
    member: null,
    language: null,
    fingerprint: createHash('sha256').update(String(n)).digest('hex'),
  }
}

function place(event: Event, count: number): Promise<unknown> {
  const requests = Array.from({ length: count }, () => newRegistration(event))
  return db.transaction().execute(async (tx) => {
    await lockEvents(tx, [event.id])
    await placeRegistrations(tx, requests, new Date())
  })
}

/** The database alone: the same lock and statement, one registration per transaction, from as many connections as the server has. */
async function databaseOneByOne(event: Event): Promise<Figure> {
  const times: number[] = []
  const before = meters.database()
  const end = performance.now() + SECONDS * 1000
  const client = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      await place(event, 1)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const database = ((meters.database() - before) * 1000) / times.length
  return { perSecond: times.length / SECONDS, p50: at(0.5), p99: at(0.99), server: 0, database }
}

/** Fills an event with this many registrations. */
async function fill(event: Event, size: number): Promise<void> {
  for (let there = 0; there < size; there += 500) await place(event, Math.min(500, size - there))
}

async function scans(event: Event): Promise<Figure> {
  const tickets = await db
    .selectFrom('registrations')
    .select(['id', 'qrUuid'])
    .where('eventId', '=', event.id)
    .limit(8000)
    .execute()
  const codes = tickets.map((ticket) => ticketUrl(served.url, ticket))
  const body = () => JSON.stringify({ payload: { qrCodeData: codes.pop(), eventId: event.id, scanId: randomUUID() } })
  return load({ ...post(checkinApi.scanByRegistrationId.path, body), token }, 20, codes.length)
}

/**
 * CPU use of an idle server, as a share of one core: its own, and the database's. Call it half a minute after the last work at the earliest:
 * until then workers still check for more.
 */
async function idle(): Promise<string> {
  await sql`vacuum analyze`.execute(db)
  await sql`checkpoint`.execute(db)
  // PostgreSQL looks once a minute for tables to tidy up after the rush.
  await wait(65_000)
  while (await isVacuuming()) await wait(1_000)
  const before = [meters.server(), meters.database()] as const
  await wait(IDLE_SECONDS * 1000)
  const share = (ms: number) => `${(ms / IDLE_SECONDS / 10).toFixed(2)} %`
  return `${share(meters.server() - before[0])} + ${share(meters.database() - before[1])}`
}

/** Mails that nobody accepts would keep the server busy for as long as they are retried; those under way are queued once more. */
async function dropMails(): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`update mails set status = 'dropped' where status = 'queued'`.execute(db)
    if (numAffectedRows === 0n) return
    await wait(3_000)
  }
}

/** Whether PostgreSQL is still tidying up after the rush. */
async function isVacuuming(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where backend_type = 'autovacuum worker'`.execute(db)
  return rows.length > 0
}

try {
  console.log(`${SECONDS} s each, PostgreSQL with fsync on, load and server on the same cores.`)
  console.log('CPU of one request: server + database, and how many times that of a bare Fastify.\n')
  // The state in a first rush: tables without statistics.
  await sql`alter table registrations set (autovacuum_enabled = false)`.execute(db)
  const rushOn = (event: Event) => post(registrationApi.initRegistration.path, () => registrationBody(event))
  const warm = await newEvent('Warming up')
  const floor = await floorOf(rushOn(warm).body)
  row('bare Fastify, same body and answer, 64', floor)
  row('database alone, one by one, 16 connections', await databaseOneByOne(await newEvent('Alone')), floor)
  let hot = warm
  for (const size of SIZES) {
    hot = await newEvent(`Hot ${size}`, DESCRIPTION.repeat(5))
    await fill(hot, size)
    // While an event is filled, the server has nothing to do, and V8 drops compiled code that it has not used for a while.
    await load(rushOn(warm), 64, 2000)
    const text = size.toLocaleString('en-GB')
    row(`register, 64 at once, ${text} there before`, await load(rushOn(hot), 64), floor)
    row(`register, 512 at once, ${text} and more`, await load(rushOn(hot), 512), floor)
  }
  row('check-in scans, 20 phones', await scans(hot), floor)
  const urlOf = (endpoint: typeof eventApi.getEvent) => toRequest(endpoint, { eventId: hot.id }).url
  row('getEvent, description of 600 characters, 16', await load(get(urlOf(eventApi.getEvent)), 16), floor)
  const active = toRequest(eventApi.getAllActiveEvents, { clubId: hot.clubId, currentDate: '2030-01-01' }).url
  row(`getAllActiveEvents, ${SIZES.length + 2} events, 16`, await load(get(active), 16), floor)
  row('getFormQuestions, 16', await load(get(toRequest(formApi.getFormQuestions, { eventId: hot.id }).url), 16), floor)
  row("event page's HTML, 16", await load(get(`/club/${hot.clubId}/event/${hot.id}`), 16), floor)
  const statistics = toRequest(statisticsApi.getStatistics, { eventId: hot.id, date: '2030-06-21' }).url
  row('statistics, 4', await load({ ...get(statistics), token }, 4), floor)
  row(
    'sign-in, 8 at once',
    await load(
      post(authApi.signin.path, () => JSON.stringify(ADMIN)),
      8,
    ),
    floor,
  )
  const atTheEnd = memory()
  await dropMails()
  await wait(60_000)
  console.log(
    `\nserver memory at the end of the rush: ${atTheEnd.toFixed(0)} MB, a minute later: ${memory().toFixed(0)} MB`,
  )
  const share = await idle()
  console.log(`idle, server + database: ${share} of a core`)
} finally {
  await stop()
}
