import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from '../../src/server/db/connect.ts'
import { isMigrated, migrate } from '../../src/server/db/migrate.ts'
import { asAdmin, withDatabase } from '../support/databases.ts'
import { oldRows } from '../support/old-rows.ts'
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
