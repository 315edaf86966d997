import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from '../../src/server/db/connect.ts'
import { isMigrated, migrate } from '../../src/server/db/migrate.ts'
import { asAdmin, createTestDatabase, withDatabase } from '../support/databases.ts'
import { oldRows } from '../support/old-rows.ts'
import { until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'

test('a database of the previous version is migrated with all its data, while its processes still work', async () => {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(inject('databaseUrl'), `create database ${name}`)
  const db = connect(withDatabase(inject('databaseUrl'), name), { isPatient: true })
  try {
    await migrate(db, '006-door')
    expect(await isMigrated(db)).toBe(false)
    await sql.raw(oldRows).execute(db)
    await migrate(db)
    expect(await isMigrated(db)).toBe(true)
    await verify(db)
    const event = await db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    expect(event).toMatchObject({ registrationCount: 2, maxPerEmail: 10, phoneField: 'required', removedAt: null })
    const states = await db.selectFrom('mails').select(['status', 'isUnasked', 'leadId']).orderBy('id').execute()
    expect(states.map(({ status }) => status)).toEqual(['sent', 'queued', 'failed', 'dropped'])
    expect(states.every(({ isUnasked, leadId }) => !isUnasked && leadId === null)).toBe(true)
    const resets = await db.selectFrom('passwordResets').select('tokenHash').execute()
    expect(resets).toEqual([{ tokenHash: 'hash' }])
    await sql`insert into sign_in_tries values ('email:y', now(), 1)`.execute(db)
    await sql`insert into checkins (registration_id, status, checkin_time) values (2, true, now())`.execute(db)
    await sql`insert into users (role, full_name, email, password_hash, club_id, created_at)
      select 'admin', 'Old Style', 'old@example.org', 'x', id, now() from clubs limit 1`.execute(db)
    const admins = await db.selectFrom('users').select('teamRole').where('role', '=', 'admin').execute()
    expect(admins.length).toBeGreaterThan(0)
    expect(new Set(admins.map(({ teamRole }) => teamRole))).toEqual(new Set(['owner']))
    const checkins = await db.selectFrom('checkins').select(['registrationId', 'eventId']).orderBy('id').execute()
    expect(checkins).toEqual([
      { registrationId: 1, eventId: event.id },
      { registrationId: 2, eventId: event.id },
    ])
  } finally {
    await db.destroy()
    await asAdmin(inject('databaseUrl'), `drop database if exists ${name} with (force)`)
  }
})

test('processes that are still running neither fail nor make a migration fail, whatever order they take the tables in', async () => {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(inject('databaseUrl'), `create database ${name}`)
  const url = withDatabase(inject('databaseUrl'), name)
  const [db, old] = [connect(url, { isPatient: true }), connect(url)]
  try {
    await migrate(db, '024-passes')
    await sql`insert into clubs (name, location, description, email, phone, website, currency, time_zone, created_at)
      values ('Rowing', '', '', '', '', '', 'eur', 'Europe/Berlin', now())`.execute(db)
    await sql`insert into events (club_id, name, description, location, starts_at, ends_at, time_zone, ticket_price, currency, status, created_at)
      select 1, 'Event', '', '', now(), now() + interval '1 day', 'Europe/Berlin', 0, 'eur', 'published', now() from generate_series(1, 4)`.execute(
      db,
    )
    const writes = {
      event: (id: number) => sql`update events set registration_count = registration_count + 1 where id = ${id}`,
      registration: (id: number) => sql`
        insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, registration_time, status, amount, currency)
        values (${id}, 1, gen_random_uuid(), 'Bo', '', '', '[]', now(), 'confirmed', 0, 'eur')`,
      user: () => sql`update users set full_name = full_name`,
    }
    const running = { isOver: false, done: 0 }
    // Each has an event of its own, so that they wait for tables alone.
    const process = async (eventId: number, ...order: (keyof typeof writes)[]) => {
      while (!running.isOver) {
        await old.transaction().execute(async (tx) => {
          for (const each of order) await writes[each](eventId).execute(tx)
        })
        running.done++
        // As visitors do, who leave the tables alone for a moment.
        await wait(5)
      }
    }
    const processes = [
      process(1, 'event', 'registration'),
      process(2, 'registration', 'event'),
      process(3, 'user', 'event', 'registration'),
      process(4, 'registration', 'user'),
    ]
    await until(async () => running.done > 50, 10_000, 'the processes write')
    await migrate(db)
    const before = running.done
    await until(async () => running.done > before + 50, 10_000, 'the processes go on writing')
    running.isOver = true
    await Promise.all(processes)
    expect(await isMigrated(db)).toBe(true)
  } finally {
    await old.destroy()
    await db.destroy()
    await asAdmin(inject('databaseUrl'), `drop database if exists ${name} with (force)`)
  }
})

test('a database of a newer version is left alone', async () => {
  const { url, drop } = await createTestDatabase()
  const db = connect(url, { isPatient: true })
  try {
    await sql`insert into kysely_migration (name, timestamp) values ('999-newer', '2030-01-01')`.execute(db)
    await expect(migrate(db)).rejects.toThrow(/by a newer version of Turnout \(its change 999-newer is unknown/)
  } finally {
    await db.destroy()
    await drop()
  }
})
