import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import sharp from 'sharp'
import { attendeeApi } from '../../src/contract/attendees.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { placeRegistrations } from '../../src/server/places/place-queries.ts'

import { startBench } from './bench-server.ts'

// The latency of one event's visitors while another is locked, changed in bulk, attacked or uploaded to. All from one run: the ratio counts.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 8
const { db, served, token, call, newEvent, stop } = await startBench(3935)
let counter = 0

function body(event: Event, person: { name?: string; email?: string } = {}): string {
  const n = ++counter
  const { name = `Visitor ${n}`, email = `visitor${n}@example.org` } = person
  const registrationData = { name, email, phone: '+49 30 1234567', others: [] }
  return JSON.stringify({
    newRegistration: { eventId: event.id, clubId: event.clubId, registrationData },
    extrasIds: [],
  })
}

const post = (content: string) =>
  fetch(served.url + registrationApi.initRegistration.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: content,
  }).then((response) => response.arrayBuffer())

/** Simulates visitors of this event for some seconds: returns the 99th percentile of latency, in ms. */
async function visitors(event: Event): Promise<number> {
  const { latency, non2xx, errors } = await autocannon({
    url: served.url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: 'POST',
        path: registrationApi.initRegistration.path,
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: body(event) }),
      },
    ],
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} errors`)
  return latency.p99
}

/** Fills an event with people directly in the database, because it only serves as a target of work. */
async function fill(event: Event, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let done = 0; done < count; done += 500) {
    const requests = Array.from({ length: Math.min(500, count - done) }, () => {
      const n = ++counter
      const person = { name: `Guest ${n}`, email: `guest${n}@example.org`, phone: '', others: [] }
      const free = { amount: 0, holdExpiresAt: null, idempotencyKey: null, fingerprint: null, isLimited: false }
      return {
        ...person,
        ...free,
        ticketTypeId: null,
        codeId: null,
        discount: 0,
        member: null,
        eventId: event.id,
        qrUuid: randomUUID(),
        language: null,
      }
    })
    const placed = await db.transaction().execute((tx) => placeRegistrations(tx, requests, new Date()))
    ids.push(...placed.flatMap((each) => (each.outcome === 'saved' ? [each.row.id] : [])))
  }
  // Their mails must not affect the measurement.
  await sql`update mails set status = 'dropped' where status = 'queued'`.execute(db)
  return ids
}

/** Marks all registrations of an event as paid. */
async function payAll(event: Event): Promise<void> {
  await sql`update events set ticket_price = 1000 where id = ${event.id}`.execute(db)
  await sql`update registrations set amount = 1000 where event_id = ${event.id}`.execute(db)
  await sql`
    insert into payments (key, club_id, event_id, registration_id, is_embedded, status, amount, currency, payment_intent, created_at, expires_at, paid_at)
    select gen_random_uuid(), club_id, event_id, id, false, 'paid', 1000, currency, 'pi_' || id, now(), now(), now()
    from registrations where event_id = ${event.id}
  `.execute(db)
}

/** The largest picture that is accepted, as hard to decode as it can be. */
async function worstImage(): Promise<Blob> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 }
  const create = { width: 1500, height: 1000, channels: 3 as const, background: '#888', noise }
  const small = await sharp({ create }).png().toBuffer()
  const large = await sharp(small).resize(6000, 4000, { kernel: 'nearest' }).png({ compressionLevel: 9 }).toBuffer()
  return new Blob([new Uint8Array(large)], { type: 'image/png' })
}

async function measure(
  name: string,
  event: Event,
  alone: number,
  disturb: (isOver: () => boolean) => Promise<unknown>,
) {
  let isOver = false
  const disturbing = disturb(() => isOver)
  const p99 = await visitors(event)
  isOver = true
  await disturbing
  console.log(`${name.padEnd(56)} p99 ${p99.toFixed(0).padStart(5)} ms   ${(p99 / alone).toFixed(2)} × alone`)
}

async function whileNotOver(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await work()
}

try {
  const calm = await newEvent('Calm')
  await visitors(calm)
  const alone = await visitors(calm)
  console.log(`${'alone'.padEnd(56)} p99 ${alone.toFixed(0).padStart(5)} ms`)

  const locked = await newEvent('Locked')
  await measure('while another event is locked and asked for', calm, alone, (isOver) =>
    db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').select('id').where('id', '=', locked.id).forUpdate().execute()
      await whileNotOver(isOver, () => Promise.all(Array.from({ length: 20 }, () => post(body(locked)))))
    }),
  )

  const large = await newEvent('Large')
  const ids = await fill(large, 6_000)
  await measure('while another event is cancelled in bulk, 1,000 at a time', calm, alone, async (isOver) => {
    for (let start = 0; start < ids.length && !isOver(); start += 1_000) {
      const registrationIds = ids.slice(start, start + 1_000)
      await call(attendeeApi.changeMany, { payload: { eventId: large.id, registrationIds, action: 'cancel' } }, token)
    }
  })

  const paid = await newEvent('Paid')
  await fill(paid, 2_000)
  await payAll(paid)
  await measure('while another event with 2,000 payments is called off', calm, alone, () =>
    call(eventApi.save, { id: paid.id, status: 'cancelled' }, token),
  )

  const removed = await newEvent('Removed')
  await fill(removed, 20_000)
  await measure('while another event with 20,000 registrations is removed', calm, alone, () =>
    call(eventApi.removeEvent, { eventId: removed.id }, token),
  )

  const attacked = await newEvent('Attacked')
  await measure('while another event gets pairs of the same person', calm, alone, (isOver) =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        whileNotOver(isOver, () => {
          const email = `twin${++counter}@example.org`
          return Promise.all(['İx', 'ix'].map((name) => post(body(attacked, { name, email }))))
        }),
      ),
    ),
  )

  const image = await worstImage()
  await measure('while another event gets the largest picture, again and again', calm, alone, (isOver) =>
    whileNotOver(isOver, async () => {
      const form = new FormData()
      form.set('id', String(large.id))
      form.set('banner', image, 'banner.png')
      const response = await fetch(served.url + eventApi.save.path, {
        method: 'POST',
        headers: { authorization: token },
        body: form,
      })
      if (response.status >= 500) throw new Error(`The picture was not taken: ${await response.text()}`)
      await response.arrayBuffer()
    }),
  )
} finally {
  await stop()
}
