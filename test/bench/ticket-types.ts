import { sql } from 'kysely'
import type { Event } from '../../src/contract/event.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { startBench } from './bench-server.ts'
import { registrationBody } from './registration-body.ts'

// What counting the tickets of each type costs a registration: the same requests with and without the triggers that count, in turns on
// one database. The ratio counts, not the times.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40)
const { db, served, newEvent, stop } = await startBench(3937)
const counting = [
  'registrations_tickets_counted',
  'registrations_tickets_recounted',
  'registrations_tickets_discounted',
]

async function register(event: Event): Promise<void> {
  const body = registrationBody(event)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(served.url + registrationApi.initRegistration.path, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Refused with ${answer.status}.`)
  await answer.arrayBuffer()
}

async function count(isOn: boolean): Promise<void> {
  for (const trigger of counting)
    await sql`alter table registrations ${sql.raw(isOn ? 'enable' : 'disable')} trigger ${sql.id(trigger)}`.execute(db)
}

/** The time of one registration, in ms, when `atOnce` visitors register one after another. */
async function timeOf(event: Event, atOnce: number, each: number): Promise<number> {
  const start = performance.now()
  const visitor = async () => {
    for (let n = 0; n < each; n++) await register(event)
  }
  await Promise.all(Array.from({ length: atOnce }, visitor))
  return (performance.now() - start) / (atOnce * each)
}

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/** Pairs of the same work, with the triggers and without, each pair in the other order than the one before. */
async function compare(what: string, atOnce: number, each: number): Promise<void> {
  const event = await newEvent(what)
  await timeOf(event, atOnce, each * 2)
  const [ratios, times]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const time = { on: 0, off: 0 }
    for (const which of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await count(which === 'on')
      time[which] = await timeOf(event, atOnce, each)
    }
    ratios.push(time.on / time.off)
    times.push(time.on)
  }
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(3))
  console.log(`${what}: ${quantile(times, 0.5).toFixed(2)} ms each; with / without ${middle} (${low} to ${high})`)
}

try {
  await compare('one visitor at a time', 1, 100)
  await compare('64 at once', 64, 10)
} finally {
  await count(true)
  await stop()
}
