import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAttendees } from '../../src/server/attendees/list.ts'
import { findWithCounts, MOST_WITH_COUNTS } from '../../src/server/attendees/search-queries.ts'
import { connect } from '../../src/server/db/connect.ts'
import type { Db } from '../../src/server/db/schema.ts'
import { callerAt } from '../support/caller-at.ts'
import { makeEvent, makeFixture } from '../support/make.ts'
import { addGuests, rowsRead } from '../support/read-counts.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

// The planner knows two large events, whose rows lie apart in the table.
const GUESTS = 20_000
let app: TestApp
let db: Db
let at: Awaited<ReturnType<typeof callerAt>>

beforeAll(async () => {
  app = await startApp()
  db = connect(app.databaseUrl, { isPatient: true })
  const { event: other, token } = await makeFixture(app)
  const event = await makeEvent(app, token)
  await db.transaction().execute(async (tx) => {
    await addGuests(tx, other, GUESTS)
    await sql`update registrations set search_text = search_text || ' abroad' where event_id = ${other.id}`.execute(tx)
    await addGuests(tx, event, GUESTS)
  })
  await sql`analyze`.execute(db)
  at = await callerAt(app, token, event)
})

afterAll(async () => {
  await db.destroy()
  await app.stop()
})

test.each(['registration', 'name'] as const)('by %s, a search reads no more than it needs', async (sortBy) => {
  const rowsOf = (searchKeyword: string) =>
    db.transaction().execute(async (tx) => {
      const before = await rowsRead(tx)
      const page = await findWithCounts(tx, at.own, { filters: { searchKeyword }, sortBy, limit: 25 })
      return { total: page?.total, read: (await rowsRead(tx)) - before }
    })
  const many = await rowsOf('guest')
  expect(many.total).toBeUndefined()
  expect(many.read).toBeLessThanOrEqual(2 * MOST_WITH_COUNTS)
  const few = await rowsOf('guest 1999')
  expect(few.total).toBe(12)
  expect(few.read).toBeLessThanOrEqual(1.1 * GUESTS)
  // A word of many people, none of them of this event.
  const none = await rowsOf('abroad')
  expect(none.total).toBe(0)
  expect(none.read).toBeLessThanOrEqual(1.1 * GUESTS)
})

test('the list searches once for its first page and its counts', async () => {
  const asked = { eventId: at.own.id, searchKeyword: 'guest 1999', sortBy: 'registration', limit: 25 } as const
  await db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx)
    const { attendees, total } = await listAttendees({ ...app.deps, db: tx }, at.caller, at.own, asked)
    expect([attendees.length, total]).toEqual([12, 12])
    expect((await rowsRead(tx)) - before).toBeLessThanOrEqual(1.5 * GUESTS)
  })
})
