import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../src/server/db/connect.ts'
import { inRush } from '../../src/server/db/locks.ts'
import { runStatement } from '../../src/server/db/statement.ts'
import { findPurchases } from '../../src/server/records/voucher-queries.ts'
import { changeUnits, lockedTicketsOf, lockUnits } from '../../src/server/redemptions/queries.ts'
import { makeFixture } from '../support/make.ts'
import { addGuests, blocksRead } from '../support/read-counts.ts'
import { startApp } from '../support/start-app.ts'

test('vouchers and their tickets are looked up by their ids, also in tables that were never analysed', async () => {
  const app = await startApp()
  // Without a limit of time, because adding thousands takes long on a busy machine.
  const db = connect(app.databaseUrl, { isPatient: true })
  try {
    const { event } = await makeFixture(app)
    for (const table of ['registrations', 'extras_purchases', 'purchase_units'])
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
    const now = app.clock.now
    await db.transaction().execute(async (tx) => {
      await addGuests(tx, event, 20_000)
      const { rows } = await sql<{ id: number; registrationId: number }>`
      with kind as (
        insert into extras (event_id, name, description, price, content, position) values (${event.id}, 'Drinks', '', 0, '[]', 0) returning id
      ), bought as (
        insert into extras_purchases (registration_id, extras_id, name, price, qr_uuid)
        select r.id, kind.id, 'Drinks', 0, gen_random_uuid() from registrations r, kind where r.event_id = ${event.id}
        returning id, registration_id
      ), filled as (
        insert into purchase_units (purchase_id, position, name, quantity) select id, 0, 'Drink', 3 from bought
      )
      select id, registration_id from bought order by id
    `.execute(tx)
      const some = rows.filter((_, n) => n % 5_000 === 0)
      const ids = some.map(({ id }) => id)
      const tables = ['registrations', 'extras_purchases', 'purchase_units']
      const read = async () => {
        let sum = 0
        for (const table of tables) sum += await blocksRead(tx, table)
        return sum
      }
      const owners = some.map(({ registrationId }) => registrationId)
      const changes = ids.map((purchaseId) => ({ purchaseId, position: 0, change: 1 }))
      // With the most blocks for each; a change writes its ticket too.
      const ways: [string, number, () => Promise<unknown>][] = [
        ['vouchers of tickets', 15, () => findPurchases(tx, owners)],
        ['locked tickets', 25, () => runStatement(tx, lockedTicketsOf(ids, event.id))],
        ['locked units', 15, () => lockUnits(tx, ids)],
        ['changed units', 70, () => changeUnits(tx, changes, now)],
      ]
      for (const isInRush of [false, true]) {
        if (isInRush) await runStatement(tx, inRush())
        for (const [name, most, work] of ways) {
          const before = await read()
          await work()
          expect((await read()) - before, name).toBeLessThanOrEqual(ids.length * most)
        }
      }
    })
  } finally {
    await db.destroy()
    await app.stop()
  }
})
