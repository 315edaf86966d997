import { createHash, randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { placeRegistrations } from '../../src/server/places/place-queries.ts'
import { lockEvents } from '../../src/server/places/seat-queries.ts'

import { ADMIN, startBench } from './bench-server.ts'

// All figures come from one run on one database, fsync on: compare them with each other, not with another machine's.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const { db, served, token, newEvent, memory, stop } = await startBench(3931)

interface Figure {
  perSecond: number
  p50: number
  p99: number
}

let counter = 0

/** The database alone: the same lock and the same statement, one registration a transaction, from as many connections as the server has. */
async function databaseOneByOne(event: Event): Promise<Figure> {
  const times: number[] = []
  const end = performance.now() + SECONDS * 1000
  const one = async () => {
    const n = ++counter
    const request = {
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
      fingerprint: createHash('sha256').update(String(n)).digest('hex'),
    }
    await db.transaction().execute(async (tx) => {
      await lockEvents(tx, [event.id])
      await placeRegistrations(tx, [request], new Date())
    })
  }
  const client = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      await one()
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / SECONDS, p50: at(0.5), p99: at(0.99) }
}

type Body = () => string

async function load(path: string, connections: number, body: Body, amount?: number): Promise<Figure> {
  const result = await autocannon({
    url: served.url,
    connections,
    // With a number of requests it ends at the next sample, and a second would be much beside the whole.
    ...(amount === undefined ? { duration: SECONDS } : { amount, sampleInt: 50 }),
    requests: [
      {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', authorization: token },
        setupRequest: (request) => ({ ...request, body: body() }),
      },
    ],
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`)
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

function registrationBody(event: Event): Body {
  return () => {
    const n = ++counter
    const registrationData = {
      name: `Visitor ${n}`,
      email: `visitor${n}@example.org`,
      phone: '+49 30 1234567',
      others: [],
    }
    return JSON.stringify({
      newRegistration: { eventId: event.id, clubId: event.clubId, registrationData },
      extrasIds: [],
      idempotencyKey: `key-${n}`,
    })
  }
}

async function scans(event: Event): Promise<Figure> {
  const tickets = await db
    .selectFrom('registrations')
    .select(['id', 'qrUuid'])
    .where('eventId', '=', event.id)
    .limit(5000)
    .execute()
  const codes = tickets.map((ticket) => ticketUrl(served.url, ticket))
  const body = () => JSON.stringify({ payload: { qrCodeData: codes.pop(), eventId: event.id, scanId: randomUUID() } })
  return load(checkinApi.scanByRegistrationId.path, 20, body, codes.length)
}

const row = (name: string, { perSecond, p50, p99 }: Figure, base?: Figure) =>
  console.log(
    `${name.padEnd(48)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50.toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms` +
      (base ? `   ${(perSecond / base.perSecond).toFixed(2)} × the database one by one` : ''),
  )

try {
  console.log(`${SECONDS} s each, PostgreSQL with fsync on, load and server on the same cores\n`)
  const alone = await databaseOneByOne(await newEvent('Alone'))
  row('database alone, one by one, 16 connections', alone)
  const hot = await newEvent('Hot')
  await load(registrationApi.initRegistration.path, 64, registrationBody(hot), 2000)
  row(
    'register over HTTP, one event, 64 at once',
    await load(registrationApi.initRegistration.path, 64, registrationBody(hot)),
    alone,
  )
  row(
    'register over HTTP, one event, 512 at once',
    await load(registrationApi.initRegistration.path, 512, registrationBody(hot)),
    alone,
  )
  row('check-in scans, 20 clients', await scans(hot))
  row('sign-in, 8 at once', await load(authApi.signin.path, 8, () => JSON.stringify(ADMIN)))
  console.log(`\nserver memory after all this: ${memory().toFixed(0)} MB`)
} finally {
  await stop()
}
