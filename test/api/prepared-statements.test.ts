import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { makeFixture, makeRegistration, scanOf } from '../support/make.ts'
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
