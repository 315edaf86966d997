import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/server/db/connect.ts'
import { makeFixture, registrationFor } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const registering = { method: 'POST', path: '/api/registration/initRegistration' } as const

test('while the database accepts no writes, writing answers 503, reading works, and the server is not ready', async () => {
  const { event } = await makeFixture(app)
  const name = new URL(app.databaseUrl.replace(/^postgres:/, 'http:')).pathname.slice(1)
  const other = connect(app.databaseUrl)
  const setReadOnly = (value: 'on' | 'off') =>
    sql.raw(`alter database ${name} set default_transaction_read_only = ${value}`).execute(other)
  // A database's settings apply only to new connections.
  const cutOthers = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`.execute(
      other,
    )
  const readyz = async () => (await fetch(`${app.url}/readyz`)).status

  await setReadOnly('on')
  await cutOthers()
  const refused = await app.raw(registering, registrationFor(event))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
  // A call may still get one of the closed connections.
  const read = async () => (await app.raw({ method: 'GET', path: '/api/event/getEvent' }, { eventId: event.id })).status
  await expect.poll(read, { timeout: 10_000 }).toBe(200)
  expect(await readyz()).toBe(503)

  await sql`set default_transaction_read_only = off`.execute(other)
  await setReadOnly('off')
  await cutOthers()
  // Again a call may get a closed connection: it answers 503, and the same registration succeeds later.
  const registration = registrationFor(event)
  const register = async () => (await app.raw(registering, registration)).status
  await expect.poll(register, { timeout: 10_000 }).toBe(200)
  await expect.poll(readyz, { timeout: 10_000 }).toBe(200)
  await other.destroy()
})

test('PostgreSQL’s errors about a full disk, memory or the disk itself answer 503, never 500', async () => {
  const { event } = await makeFixture(app)
  for (const state of ['53100', '53200', '53300', '58030', '57P05', '25P03']) {
    await sql`
      create or replace function fail_to_write() returns trigger language plpgsql as
      ${sql.raw(`'begin raise exception ''it failed'' using errcode = ''${state}''; end'`)}
    `.execute(app.deps.db)
    await sql`create or replace trigger fail before insert on registrations execute function fail_to_write()`.execute(
      app.deps.db,
    )
    const response = await app.raw(registering, registrationFor(event))
    expect([state, response.status, response.headers.get('retry-after')]).toEqual([state, 503, '2'])
  }
  await sql`drop trigger fail on registrations`.execute(app.deps.db)
})

test('no refusal may be cached', async () => {
  for (const path of ['/api/event/getEvent?eventId=999999', '/api/club/getAllClubs', '/api/nothing'])
    expect((await fetch(app.url + path)).headers.get('cache-control')).toBe('no-store')
})
