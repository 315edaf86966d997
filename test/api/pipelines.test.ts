import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pipeline, pipelineAndCommit, runStatement, statement } from '../../src/server/db/statement.ts'
import { placeRegistrations } from '../../src/server/places/place-queries.ts'
import { findRegistration } from '../../src/server/records/registration-queries.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
  await sql`create table notes (id int primary key, text text not null)`.execute(app.deps.db)
})

afterAll(() => app.stop())

const add = statement<{ id: number }>('test: add a note', 'insert into notes values ($1, $2) returning id')
const all = statement<{ id: number; text: string }>('test: all notes', 'select * from notes order by id')

test('statements sent together run in order, each with the effects of those before it', async () => {
  const { db } = app.deps
  const [, first, , both] = await db
    .transaction()
    .execute((tx) => pipeline(tx, [add(1, 'one'), all(), add(2, 'two'), all()]))
  expect(first).toEqual([{ id: 1, text: 'one' }])
  expect(both.map(({ id }) => id)).toEqual([1, 2])
})

test('a commit sent with the last statements saves them, and nothing when one of them fails', async () => {
  const { db } = app.deps
  await db.transaction().execute((tx) => pipelineAndCommit(tx, [add(10, 'kept')]))
  const failing = db.transaction().execute((tx) => pipelineAndCommit(tx, [add(11, 'not kept'), add(10, 'twice')]))
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  const notes = await runStatement(db, all())
  expect(notes.map(({ id }) => id)).toContain(10)
  expect(notes.map(({ id }) => id)).not.toContain(11)
})

test('statements sent with the start of a transaction that fails are not saved', async () => {
  const { db } = app.deps
  const failing = db.transaction().execute(async (tx) => {
    await pipeline(tx, [add(20, 'not kept')])
    throw new Error('changed our mind')
  })
  await expect(failing).rejects.toThrow('changed our mind')
  expect((await runStatement(db, all())).map(({ id }) => id)).not.toContain(20)
})

test('a prepared statement returns a column that was added later', async () => {
  const { db } = app.deps
  await db.connection().execute(async (one) => {
    // Often enough that its plan is then kept for a while: see isPlanDue.
    for (let n = 0; n < 105; n++) await runStatement(one, all())
    await sql`alter table notes add column colour text`.execute(db)
    expect((await runStatement(one, all()))[0]).toHaveProperty('colour')
  })
})

test('visitors register while their tables get a column', async () => {
  const { event } = await makeFixture(app)
  const { db } = app.deps
  for (let n = 0; n < 8; n++) await makeRegistration(app, event)
  await sql`alter table events add column spare int`.execute(db)
  await sql`alter table registrations add column spare int`.execute(db)
  await sql`alter table form_questions add column spare int`.execute(db)
  for (let n = 0; n < 8; n++) expect((await makeRegistration(app, event)).status).toBe('confirmed')
})

test('a registration is answered as it is stored', async () => {
  const { event } = await makeFixture(app)
  const { db } = app.deps
  const request = {
    eventId: event.id,
    name: 'Zoë O’Neill',
    email: 'Zoe@Example.org',
    phone: '+49301234567',
    others: [{ qId: 1, question: 'Diet?', answer: ['Vegan', '"quoted", {braces}'] }],
    qrUuid: randomUUID(),
    amount: 0,
    holdExpiresAt: null,
    idempotencyKey: randomUUID(),
    fingerprint: 'a'.repeat(64),
    isLimited: true,
    language: 'de',
    ticketTypeId: null,
    codeId: null,
    discount: 0,
    member: null,
  }
  const paid = { ...request, name: 'Paid', qrUuid: randomUUID(), amount: 1200, idempotencyKey: null, fingerprint: null }
  const now = new Date('2030-01-01T10:00:00.123Z')
  const placed = await db
    .transaction()
    .execute((tx) => placeRegistrations(tx, [request, { ...paid, holdExpiresAt: now }], now))
  for (const placing of placed) {
    if (placing.outcome !== 'saved') throw new Error(placing.outcome)
    expect(await findRegistration(db, placing.row.id)).toMatchObject(placing.row)
  }
})

test('a connection that breaks during a commit fails that call and nothing else', async () => {
  const { db } = app.deps
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const end = statement<never>('test: end this connection', 'select pg_terminate_backend(pg_backend_pid())')
    const broken = db.transaction().execute((tx) => pipelineAndCommit(tx, [add(30, 'not kept'), end()]))
    await expect(broken).rejects.toThrow()
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
    expect((await runStatement(db, all())).map(({ id }) => id)).not.toContain(30)
  } finally {
    process.off('unhandledRejection', note)
  }
})
