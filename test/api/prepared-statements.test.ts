import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { whatIsSold } from '../../src/server/attendees/queries.ts'
import { runStatement } from '../../src/server/db/statement.ts'
import { makeEvent, makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { blocksRead } from '../support/read-counts.ts'
import { startApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

test.each([
  { setting: 'on', isNaming: true },
  { setting: 'off', isNaming: false },
])(
  'with PREPARED_STATEMENTS=$setting people register, are listed and come in, and the database keeps statements accordingly',
  async ({ isNaming }) => {
    const app = await startApp({ isNaming })
    try {
      const { db } = app.deps
      const { event, token } = await makeFixture(app)
      const registration = await makeRegistration(app, event)
      await app.call(checkinApi.scanByRegistrationId, scanOf(registration), token)
      const asked = { eventId: event.id, searchKeyword: '', sortBy: 'name', limit: 10 } as const
      const { attendees } = await app.call(attendeeApi.getAttendees, asked, token)
      expect(attendees).toMatchObject([{ rId: registration.id, checkin: { status: true } }])
      await verify(db)
      // At once, so that several connections answer, each about its own.
      const kept = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const query = sql<{
            count: number
          }>`select count(*)::int as count, pg_sleep(0.05) from pg_prepared_statements`
          return (await query.execute(db)).rows[0]?.count ?? 0
        }),
      )
      expect(Math.max(...kept) > 0).toBe(isNaming)
    } finally {
      await app.stop()
    }
  },
)

test('whether an event sells something is read from an index, also where nearly all that was sold is of one event', async () => {
  const app = await startApp()
  try {
    const { event, token } = await makeFixture(app)
    const other = await makeEvent(app, token)
    const income = (id: number, count: number) => sql`
      insert into income_counts (event_id, currency, at) select ${id}, 'eur', now() + n * interval '1 hour' from generate_series(1, ${count}::int) n
    `
    await app.deps.db.transaction().execute(async (tx) => {
      await income(event.id, 50_000).execute(tx)
      await sql`analyze income_counts`.execute(tx)
      // The plan for any event, which a prepared statement gets after some uses.
      await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
      const before = await blocksRead(tx, 'income_counts')
      expect(await runStatement(tx, whatIsSold(other.id))).toEqual([{ hasVouchers: false, hasPayments: false }])
      expect((await blocksRead(tx, 'income_counts')) - before).toBeLessThanOrEqual(10)
      await income(other.id, 1).execute(tx)
      expect(await runStatement(tx, whatIsSold(other.id))).toEqual([{ hasVouchers: false, hasPayments: true }])
    })
  } finally {
    await app.stop()
  }
})
