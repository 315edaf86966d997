import { registrationApi } from '../../src/contract/registrations.ts'
import { startBench } from './bench-server.ts'
import { measure, row } from './load.ts'
import { registrationBody } from './registration-body.ts'

// What an order of four costs beside one registration: both free, 64 at once, on one database. The ratio counts, not the times.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const { db, served, meters, newEvent, stop } = await startBench(3940)

async function run(name: string, companions: number) {
  const event = await newEvent(name)
  const body = () => registrationBody(event, companions)
  const request = { method: 'POST' as const, path: registrationApi.initRegistration.path, body }
  await measure(served.url, request, { connections: 64, seconds: 2 }, meters)
  const figure = await measure(served.url, request, { connections: 64, seconds: SECONDS }, meters)
  row(name, figure)
  const { count } = await db
    .selectFrom('registrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', event.id)
    .executeTakeFirstOrThrow()
  if (count === 0) throw new Error('Nobody was registered.')
  return figure
}

const alone = await run('one person', 0)
const four = await run('orders of four', 3)
const sum = ({ server, database }: typeof alone) => server + database
console.log(`an order of four costs as much CPU as ${(sum(four) / sum(alone)).toFixed(1)} registrations`)
await stop()
