import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { platformApi } from '../../src/contract/platform.ts'
import { inFolder, inObjectStorage } from '../../src/server/backup/nightly/backup-place.ts'
import { backupName } from '../../src/server/backup/nightly/kept-backups.ts'
import { backUpWhenDue, nextNight } from '../../src/server/backup/nightly/nightly.ts'
import { findBackupState } from '../../src/server/backup/nightly/state-queries.ts'
import { verifyBackup } from '../../src/server/backup/nightly/verify-backup.ts'
import { checkBackup } from '../../src/server/backup/read-file.ts'
import { writeBackup } from '../../src/server/backup/write-file.ts'
import { connect } from '../../src/server/db/connect.ts'
import { asAdmin } from '../support/databases.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

// A restore makes every table and index anew, which takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000 })

const HOUR = 60 * 60_000
let app: TestApp
let dir: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'turnout-nightly-'))
  app = await startApp()
  // Written by the database's clock when its table was made.
  await app.deps.db.updateTable('backupState').set({ nextAt: app.clock.now }).execute()
})
afterEach(() => app.stop())

const run = (server = app, address = app.databaseUrl) => backUpWhenDue(server.deps, { address, place: inFolder(dir) })
const state = () => findBackupState(app.deps.db)
const turn = () => app.deps.db.selectFrom('backupState').select('nextAt').executeTakeFirstOrThrow()
const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const scratchDatabases = async () => {
  const { rows } = await sql`select from pg_database where datname like 'turnout\\_check\\_%'`.execute(app.deps.db)
  return rows.length
}

test('of several servers one makes the backup of a night, proves it by a restore, and clears away what killed ones left', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event)
  writeFileSync(join(dir, 'turnout-2026-11-19T03-00-00Z.backup.part-7'), 'half')
  const other = await app.another()
  expect((await Promise.all([run(), run(other), run()])).sort()).toEqual([false, false, true])
  const file = 'turnout-2026-11-20T18-00-00Z.backup'
  expect(readdirSync(dir)).toEqual([file])
  expect(await state()).toMatchObject({ goodAt: app.clock.now, file, checked: 'restored', error: null })
  expect((await checkBackup(join(dir, file))).end.tables.registrations?.rows).toBe(1)
  expect(await scratchDatabases()).toBe(0)

  expect(await run()).toBe(false)
  app.clock.now = nextNight(app.clock.now)
  expect(await run()).toBe(true)
  expect(readdirSync(dir)).toHaveLength(2)
})

test('a backup that fails says why, keeps the last good one, and is tried again after an hour', async () => {
  await makeFixture(app)
  await run()
  const good = await state()
  app.clock.now = nextNight(app.clock.now)
  const folder = dir
  dir = join(folder, 'file')
  writeFileSync(dir, '')
  expect(await run()).toBe(true)
  expect(await state()).toMatchObject({
    goodAt: good.goodAt,
    file: good.file,
    error: expect.stringContaining('EEXIST'),
  })
  dir = folder
  expect(await run()).toBe(false)
  pass(HOUR)
  expect(await run()).toBe(true)
  expect(await state()).toMatchObject({ goodAt: app.clock.now, error: null })
})

test('a backup is good although old ones cannot be removed, and is not made again before the next night', async () => {
  const place = { ...inFolder(dir), prune: () => Promise.reject(new Error('You may not delete.')) }
  expect(await backUpWhenDue(app.deps, { address: app.databaseUrl, place })).toBe(true)
  expect(await state()).toMatchObject({ goodAt: app.clock.now, error: null })
  pass(HOUR)
  expect(await run()).toBe(false)
})

test('a backup that takes longer than six hours keeps its turn', async () => {
  const other = await app.another()
  const { nextAt: begun } = await turn()
  const keep = async () => {
    for (let hours = 5; hours < 20; hours += 5) {
      const { nextAt: before } = await turn()
      pass(5 * HOUR)
      await vi.waitFor(async () => expect((await turn()).nextAt.getTime()).toBeGreaterThan(before.getTime()), 60_000)
      other.clock.now = app.clock.now
      expect(await run(other)).toBe(false)
    }
  }
  const place = { ...inFolder(dir), keep }
  expect(await backUpWhenDue(app.deps, { address: app.databaseUrl, place, aliveMs: 20 })).toBe(true)
  expect(await state()).toMatchObject({ goodAt: begun, error: null })
})

test('a server that was stopped for so long that another one took its turn says nothing of its own backup', async () => {
  const other = await app.another()
  const loseTurn = async () => {
    pass(7 * HOUR)
    other.clock.now = app.clock.now
    expect(await run(other)).toBe(true)
  }
  const prune = () => Promise.reject(new Error('It has no turn.'))
  for (const end of [async () => {}, () => Promise.reject(new Error('The disk is full.'))]) {
    const place = { ...inFolder(dir), keep: () => loseTurn().then(end), prune }
    expect(await backUpWhenDue(app.deps, { address: app.databaseUrl, place })).toBe(true)
    expect(await state()).toMatchObject({ goodAt: app.clock.now, file: backupName(app.clock.now), error: null })
    app.clock.now = nextNight(app.clock.now)
  }
})

test('two servers that prove a backup at once do not disturb each other, and remove what a killed one left', async () => {
  await makeFixture(app)
  await run()
  const path = join(dir, readdirSync(dir)[0] ?? '')
  const { installationId } = (await checkBackup(path)).header
  const left = `turnout_check_${installationId?.replaceAll('-', '')}_killed`
  await asAdmin(inject('databaseUrl'), `create database ${left}`)
  const prove = (turn: string) => verifyBackup({ address: app.databaseUrl, path, installationId, turn })
  expect(await Promise.all([prove('one'), prove('two')])).toEqual(['restored', 'restored'])
  expect(await scratchDatabases()).toBe(0)
})

test('the operator sees the last good backup, that it is too old, and why; so do the metrics', async () => {
  const { sudo } = await makeFixture(app)
  const seen = async () => (await app.call(platformApi.getHealth, {}, sudo.token)).backup
  await app.deps.db.updateTable('backupState').set({ since: app.clock.now }).execute()
  expect(await seen()).toEqual({ isOn: true, isLate: false, lastGoodAt: null, checked: null, error: null })
  await run()
  const good = { isOn: true, lastGoodAt: app.clock.now, checked: 'restored' }
  expect(await seen()).toEqual({ ...good, isLate: false, error: null })
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  expect(metrics).toContain(`turnout_backup_last_good_timestamp_seconds ${app.clock.now.getTime() / 1_000}\n`)
  expect(metrics).toMatch(/turnout_backup_bytes [1-9]\d+\n/)

  pass(47 * HOUR)
  dir = join(dir, readdirSync(dir)[0] ?? '')
  await run()
  expect(await seen()).toMatchObject({ ...good, isLate: false, error: expect.stringContaining('EEXIST') })
  pass(2 * HOUR)
  expect(await seen()).toMatchObject({ ...good, isLate: true })
  const quiet = await startApp({ databaseUrl: app.databaseUrl, settings: { backups: false } })
  try {
    quiet.clock.now = app.clock.now
    const { backup } = await quiet.call(platformApi.getHealth, {}, sudo.token)
    expect(backup).toMatchObject({ isOn: false, isLate: false, error: null })
  } finally {
    await quiet.stop()
  }
})

test('a backup whose rows are not those of its checksum is not good, and leaves no database behind', async () => {
  await makeFixture(app)
  await run()
  const { header } = await checkBackup(join(dir, readdirSync(dir)[0] ?? ''))
  const path = join(dir, 'wrong')
  await writeBackup({ path, header, fill: async () => ({ tables: {}, images: 0 }), signal: undefined })
  const verifying = verifyBackup({ address: app.databaseUrl, path, installationId: header.installationId, turn: 'one' })
  await expect(verifying).rejects.toThrow('is not what it was in the backup')
  expect(await scratchDatabases()).toBe(0)
})

test('a user who may not make databases has the file read instead', async () => {
  await makeFixture(app)
  const role = `limited_${process.pid}`
  await asAdmin(inject('databaseUrl'), `create role ${role} login password 'x'`)
  try {
    const url = new URL(app.databaseUrl)
    Object.assign(url, { username: role, password: 'x' })
    const own = connect(app.databaseUrl)
    await sql`grant select on all tables in schema public to ${sql.raw(role)}`.execute(own)
    await sql`grant select on all sequences in schema public to ${sql.raw(role)}`.execute(own)
    await own.destroy()
    expect(await run(app, url.href)).toBe(true)
    expect(await state()).toMatchObject({ checked: 'read', error: null })
    const name = readdirSync(dir)[0] ?? ''
    expect((await checkBackup(join(dir, name))).end.tables.clubs?.rows).toBe(1)
  } finally {
    const own = connect(app.databaseUrl)
    await sql`drop owned by ${sql.raw(role)}`.execute(own)
    await own.destroy()
    await asAdmin(inject('databaseUrl'), `drop role ${role}`)
  }
})

describe('in object storage', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  const open = (installationId: string, deps = app.deps) => {
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
    const storage = { endpoint: server.url, bucket: 'club', region: 'us-east-1', ...credentials }
    return inObjectStorage(deps, { storage, installationId, dir })
  }
  const keys = () => [...server.objects.keys()].sort()

  test('a backup is written and proved here, and kept there alone; those no longer needed go', async () => {
    await makeFixture(app)
    const place = await open('one')
    const names = ['2026-01-02', '2026-11-18', '2026-11-19'].map((day) => `turnout-${day}T03-00-00Z.backup`)
    for (const name of names)
      server.objects.set(`/club/backups-one/${name}`, { bytes: Buffer.from('x'), writtenAt: new Date() })
    for (let day = 9; day < 18; day++)
      server.objects.set(`/club/backups-one/turnout-2026-11-${String(day).padStart(2, '0')}T03-00-00Z.backup`, {
        bytes: Buffer.from('x'),
        writtenAt: new Date(),
      })
    server.objects.set('/club/backups-two/turnout-2025-01-01T03-00-00Z.backup', {
      bytes: Buffer.from('x'),
      writtenAt: new Date(),
    })
    writeFileSync(join(dir, 'turnout-2026-11-01T03-00-00Z.backup'), 'a stop has left this')
    expect(await backUpWhenDue(app.deps, { address: app.databaseUrl, place })).toBe(true)
    const file = 'turnout-2026-11-20T18-00-00Z.backup'
    expect(await state()).toMatchObject({ file, checked: 'restored', error: null })
    expect(readdirSync(dir, { recursive: true })).toEqual(['proved'])
    expect(keys()).toContain(`/club/backups-one/${file}`)
    expect(keys()).not.toContain('/club/backups-one/turnout-2026-11-10T03-00-00Z.backup')
    // The last of a week, and what another installation keeps.
    expect(keys()).toContain('/club/backups-two/turnout-2025-01-01T03-00-00Z.backup')
    const path = join(dir, 'fetched')
    writeFileSync(path, server.objects.get(`/club/backups-one/${file}`)?.bytes ?? '')
    expect((await checkBackup(path)).end.tables.clubs?.rows).toBe(1)
  })

  test('two databases with one id, as a copy has it, remove nothing of each other', async () => {
    const copy = await startApp()
    try {
      const nights = [app, copy, app, copy]
      const before = Array.from({ length: 9 }, (_, day) => backupName(new Date(Date.UTC(2026, 10, 10 + day, 3))))
      for (const name of before)
        server.objects.set(`/club/backups-copied/${name}`, { bytes: Buffer.from('x'), writtenAt: new Date() })
      const made: string[] = []
      for (const [n, { deps, clock, databaseUrl }] of nights.entries()) {
        // The copy has its turn an hour later in the same nights, and would take its backup for the newer of one day.
        clock.now = new Date(Date.UTC(2026, 10, 20 + Math.floor(n / 2), 3 + (n % 2)))
        await deps.db
          .updateTable('backupState')
          .set({ nextAt: clock.now, stored: n < 2 ? before : undefined })
          .execute()
        const place = await open('copied', deps)
        expect(await backUpWhenDue(deps, { address: databaseUrl, place })).toBe(true)
        made.push(backupName(clock.now))
      }
      const kept = keys().flatMap((key) => key.split('/backups-copied/')[1] ?? [])
      expect(kept.slice(-4)).toEqual(made)
      // The first night removed what was too old, since there was no other then.
      expect(kept).toHaveLength(7 + 3)
    } finally {
      await copy.stop()
    }
  })

  test('the parts that a stop has left of an upload are removed by the next backup', async () => {
    const place = await open('five')
    const left = (path: string) => ({ path, parts: new Map([[1, Buffer.from('part')]]) })
    server.uploads.set('left', left('/club/backups-five/turnout-2026-11-19T03-00-00Z.backup'))
    server.uploads.set('other', left('/club/images-five/large'))
    expect(await backUpWhenDue(app.deps, { address: app.databaseUrl, place })).toBe(true)
    expect([...server.uploads.keys()]).toEqual(['other'])
    server.uploads.clear()
    expect(await state()).toMatchObject({ error: null })
  })

  test('a large file arrives whole, in parts', async () => {
    const bytes = randomBytes(12_000_000)
    const place = await open('three')
    await place.prepare(null)
    writeFileSync(join(dir, 'large'), bytes)
    await place.keep('large')
    expect(server.objects.get('/club/backups-three/large')?.bytes.equals(bytes)).toBe(true)
    expect(server.uploads.size).toBe(0)
  })

  test('a backup that the storage refuses is a failure, waits here, and is stored before the next one is made', async () => {
    await makeFixture(app)
    const place = await open('four')
    const waiting = () => readdirSync(join(dir, 'proved'))
    const onGood = vi.fn()
    const night = () => backUpWhenDue(app.deps, { address: app.databaseUrl, place, onGood })
    server.isFull = true
    const made: string[] = []
    for (let n = 0; n < 2; n++) {
      made.push(backupName(app.clock.now))
      expect(await night()).toBe(true)
      expect(await state()).toMatchObject({ goodAt: null, error: 'It is full.' })
      // Only the newest.
      expect(waiting()).toEqual(made.slice(-1))
      pass(HOUR)
    }
    expect(onGood).not.toHaveBeenCalled()
    server.isFull = false
    made.push(backupName(app.clock.now))
    expect(await night()).toBe(true)
    expect(await state()).toMatchObject({ goodAt: app.clock.now, error: null })
    expect(onGood).toHaveBeenCalledOnce()
    expect(waiting()).toEqual([])
    // The newest of the day is kept; the one before was stored and is no longer needed.
    expect(keys().filter((key) => key.includes('-four/'))).toEqual([`/club/backups-four/${made.at(-1)}`])
  })

  test('a backup that waits is stored although no new one can be made, but not after a newer one', async () => {
    await makeFixture(app)
    const place = await open('six')
    const [older, old, waits] = ['17', '18', '19'].map((day) => `turnout-2026-11-${day}T03-00-00Z.backup`)
    await place.prepare(null)
    for (const name of [older, old, waits]) writeFileSync(join(dir, 'proved', name ?? ''), 'proved')
    await place.prepare(old ?? null)
    expect(readdirSync(join(dir, 'proved'))).toEqual([])
    expect(keys().filter((key) => key.includes('-six/'))).toEqual([`/club/backups-six/${waits}`])
  })

  test('a backup that does not arrive whole is a failure, and so is one that is stopped before', async () => {
    const place = await open('seven')
    await place.prepare(null)
    server.isLossy = true
    writeFileSync(join(dir, 'one'), 'picture')
    await expect(place.keep('one')).rejects.toThrow('The object storage has 6 of 7 bytes of one.')
    server.isLossy = false
    writeFileSync(join(dir, 'two'), 'picture')
    await expect(place.keep('two', AbortSignal.abort(new Error('The server stops.')))).rejects.toThrow('stops')
    expect(keys()).not.toContain('/club/backups-seven/two')
  })
})

test('it is night at three by the server’s clock', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour)
  expect([nextNight(at(20, 2)), nextNight(at(20, 3)), nextNight(at(20, 18))]).toEqual([at(20, 3), at(21, 3), at(21, 3)])
})
