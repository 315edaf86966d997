import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { registrationApi } from '../../src/contract/registrations.ts'
import { composeMail } from '../../src/server/compose-mail.ts'
import { connect } from '../../src/server/db/connect.ts'
import { startMailWorker } from '../../src/server/mail/worker.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases.ts'
import { makeFixture, registrationFor } from '../support/make.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { type Fault, startProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { verify } from '../support/verify.ts'

// On an idle machine each answer arrives within 5 s, and the first success within 5 s after the fault.
const ANSWER_MS = 10_000
const RECOVERY_MS = 20_000

let database: TestDatabase
let proxy: TcpProxy
let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
const acknowledged = new Set<number>()

beforeAll(async () => {
  database = await createTestDatabase()
  const address = new URL(inject('databaseUrl').replace(/^postgres:/, 'http:'))
  const socketDir = address.searchParams.get('host')
  proxy = await startProxy(
    socketDir ? { path: `${socketDir}/.s.PGSQL.5432` } : { port: Number(address.port || '5432') },
  )
  const throughProxy = new URL(database.url.replace(/^postgres:/, 'http:'))
  throughProxy.search = ''
  throughProxy.host = `127.0.0.1:${proxy.port}`
  app = await startApp({
    databaseUrl: throughProxy.href.replace(/^http:/, 'postgres:'),
    settings: { limits: false },
  })
  fixture = await makeFixture(app)
})
afterAll(async () => {
  proxy.set('pass')
  await app.stop()
  await proxy.stop()
  await database.drop()
})

interface Answer {
  status: number
  ms: number
  retryAfter: string | null
}

/** Sends one request; fails if no answer comes at all. */
async function ask(method: 'GET' | 'POST', path: `/${string}`, body: unknown, token?: string): Promise<Answer> {
  const start = performance.now()
  const headers: Record<string, string> = token === undefined ? {} : { authorization: token }
  const response = await app.raw({ method, path: `/api${path}` }, body, headers)
  const answer = await response.json()
  const ms = performance.now() - start
  if (method === 'POST' && response.ok) acknowledged.add(answer.payload.savedRegistration.id)
  return { status: response.status, ms, retryAfter: response.headers.get('retry-after') }
}

const register = () => ask('POST', '/registration/initRegistration', registrationFor(fixture.event))
const readEvent = () => ask('GET', '/event/getEvent', { eventId: fixture.event.id })
const listAttendees = () => ask('GET', '/registration/getAttendees', { eventId: fixture.event.id }, fixture.token)
const signIn = () => ask('POST', '/user/signin', { email: 'nobody@example.org', password: 'whatever 1' })

async function isReady(): Promise<boolean> {
  return (await fetch(`${app.url}/readyz`)).ok
}

/** Requests of visitors and staff during the fault, one at a time and several at once. */
async function askDuring(fault: Fault): Promise<Answer[]> {
  proxy.set(fault)
  const first = register()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const together = [register(), register(), readEvent(), listAttendees(), signIn()]
  return Promise.all([first, ...together])
}

function expectAnswered(answers: readonly Answer[]): void {
  for (const { status, ms, retryAfter } of answers) {
    expect([200, 401, 503]).toContain(status)
    if (status === 503) expect(retryAfter).toMatch(/^\d+$/)
    expect(ms).toBeLessThan(ANSWER_MS)
  }
}

async function expectRecovered(): Promise<void> {
  const start = performance.now()
  await until(async () => (await register()).status === 200, RECOVERY_MS, 'somebody can register again')
  await until(isReady, RECOVERY_MS, 'the server says that it is ready')
  process.stdout.write(`recovered after ${Math.round(performance.now() - start)} ms\n`)
  expect((await listAttendees()).status).toBe(200)
}

async function expectNothingLost(): Promise<void> {
  const rows = await app.deps.db.selectFrom('registrations').select('id').execute()
  const kept = new Set(rows.map(({ id }) => id))
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
  await verify(app.deps.db)
}

for (const fault of ['refuse', 'hold', 400] as const)
  test(`every request is answered while the database is at "${fault}", and service is back afterwards`, async () => {
    const answers = await askDuring(fault)
    process.stdout.write(`${fault}: slowest answer ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms\n`)
    expectAnswered(answers)
    if (typeof fault === 'string') {
      expect(answers[0]?.status).toBe(503)
      expect(await isReady()).toBe(false)
    }
    proxy.set('pass')
    await expectRecovered()
    await expectNothingLost()
  })

test('when one connection goes silent, all connections of that age are replaced', async () => {
  // As many as the pool's connections, so that more of them go silent than the first request finds.
  await Promise.all(Array.from({ length: 24 }, listAttendees))
  proxy.set('forget')
  expectAnswered([await register()])
  const next = await Promise.all(Array.from({ length: 24 }, listAttendees))
  expect(next.map(({ status }) => status)).toEqual(next.map(() => 200))
  proxy.set('pass')
  await expectRecovered()
  await expectNothingLost()
})

test('a connection cut in the middle of a transaction answers 503', async () => {
  const direct = connect(database.url)
  await direct.transaction().execute(async (tx) => {
    await tx.selectFrom('events').select('id').where('id', '=', fixture.event.id).forUpdate().execute()
    const waiting = [register(), register()]
    const isWaiting = async () => {
      const { rows } =
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          tx,
        )
      return rows.length > 0
    }
    await until(isWaiting, RECOVERY_MS, 'a registration waits for the event')
    proxy.reset()
    const answers = await Promise.all(waiting)
    expectAnswered(answers)
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
  })
  await direct.destroy()
  await expectRecovered()
  await expectNothingLost()
})

test('the mail worker recovers by itself after its connection has gone silent', async () => {
  const worker = startMailWorker(app.deps, composeMail)
  try {
    await app.call(registrationApi.initRegistration, registrationFor(fixture.event, { email: 'before@example.org' }))
    await until(async () => app.sent.some(({ to }) => to === 'before@example.org'), RECOVERY_MS, 'a mail has gone out')
    proxy.set('forget')
    await until(async () => (await register()).status === 200, RECOVERY_MS, 'somebody can register again')
    await app.call(registrationApi.initRegistration, registrationFor(fixture.event, { email: 'after@example.org' }))
    await until(
      async () => app.sent.some(({ to }) => to === 'after@example.org'),
      RECOVERY_MS,
      'the next mail went out',
    )
  } finally {
    await worker.stop()
  }
})
