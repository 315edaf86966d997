import { authApi } from '../../src/contract/auth.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { toRequest } from '../../src/contract/wire.ts'
import * as paths from '../../src/web/paths.ts'
import { ADMIN, startBench } from './bench-server.ts'
import { cpuOfFamily } from './cpu.ts'
import { type Figure, measure } from './load.ts'
import { registrationBody } from './registration-body.ts'

// One server process and several behind one port, by turns on the same cores as load and database: `npm run bench:workers`.

const MANY = Number(process.env.BENCH_WORKERS ?? 2)
const TURNS = 4
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)

async function start(workers: number, port: number) {
  const bench = await startBench(port, { WORKERS: String(workers) })
  const pid = bench.served.process.pid ?? 0
  const events = []
  for (let n = 0; n < 8; n++) events.push(await bench.newEvent(`Rush ${n}`, 'A long evening of music. '.repeat(24)))
  return { ...bench, events, meters: { server: () => cpuOfFamily(pid), database: bench.meters.database } }
}
type Side = Awaited<ReturnType<typeof start>>

const register = registrationApi.initRegistration.path
const eventOf = ({ events }: Side, at: number) => {
  const event = events[at % events.length]
  if (!event) throw new Error('Eight events.')
  return event
}

const rows: Readonly<Record<string, { connections: number; request: (side: Side) => Parameters<typeof measure>[1] }>> =
  {
    'registrations, one event, 64 at once': {
      connections: 64,
      request: (side) => ({ method: 'POST', path: register, body: () => registrationBody(eventOf(side, 0)) }),
    },
    'registrations, one event, 512 at once': {
      connections: 512,
      request: (side) => ({ method: 'POST', path: register, body: () => registrationBody(eventOf(side, 0)) }),
    },
    'registrations, eight events, 64 at once': {
      connections: 64,
      request: (side) => {
        let at = 0
        return { method: 'POST', path: register, body: () => registrationBody(eventOf(side, at++)) }
      },
    },
    'getEvent, 16 at once': {
      connections: 16,
      request: (side) => ({ method: 'GET', path: toRequest(eventApi.getEvent, { eventId: eventOf(side, 0).id }).url }),
    },
    'HTML of an event page, 16 at once': {
      connections: 16,
      request: (side) => ({ method: 'GET', path: paths.event(eventOf(side, 0)) }),
    },
    'sign-ins, 8 at once': {
      connections: 8,
      request: () => ({ method: 'POST', path: authApi.signin.path, body: () => JSON.stringify(ADMIN) }),
    },
  }

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const rate = (figures: readonly Figure[]) => median(figures.map(({ perSecond }) => perSecond))
const cpu = (figures: readonly Figure[]) => median(figures.map(({ server, database }) => server + database))

const sides: [Side, Side] = [await start(1, 3952), await start(MANY, 3953)]
try {
  console.log(`1 process, then ${MANY}: requests per second, their ratio, and the ratio of CPU for each.\n`)
  for (const [name, { connections, request }] of Object.entries(rows)) {
    const figures: [Figure[], Figure[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++)
      for (const which of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const side = sides[which]
        figures[which].push(
          await measure(side.served.url, request(side), { connections, seconds: SECONDS }, side.meters),
        )
      }
    const [one, many] = figures
    console.log(
      `${name.padEnd(42)} ${rate(one).toFixed(0).padStart(6)} ${rate(many).toFixed(0).padStart(6)}` +
        `  ${(rate(many) / rate(one)).toFixed(2)} ×  CPU ${(cpu(many) / cpu(one)).toFixed(2)} ×`,
    )
  }
} finally {
  for (const side of sides) await side.stop()
}
