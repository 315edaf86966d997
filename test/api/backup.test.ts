import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { doorApi } from '../../src/contract/door.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { beginSnapshot, copyOut } from '../../src/server/backup/export-queries.ts'
import { type Header, rowsDigest } from '../../src/server/backup/file-format.ts'
import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { checkBackup } from '../../src/server/backup/read-file.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import { writeBackup } from '../../src/server/backup/write-file.ts'
import { connect } from '../../src/server/db/connect.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { withClient } from '../../src/server/db/on-client.ts'
import type { Db } from '../../src/server/db/schema.ts'
import { diskStore } from '../../src/server/images/disk-store.ts'
import { storeImage } from '../../src/server/images/make-image.ts'
import { s3Store } from '../../src/server/images/s3-store.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/databases.ts'
import { makeExtras, makeFixture, makeRegistration, PASSWORD, scanOf } from '../support/make.ts'
import { makeMany } from '../support/make-many.ts'
import { oldRows } from '../support/old-rows.ts'
import { startS3Server } from '../support/s3-server.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

// A restore makes every table and index anew, which takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let app: TestApp
const databases: TestDatabase[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnout-backup-'))
  app = await startApp({ settings: { limits: false } })
})
afterEach(async () => {
  await app.stop()
  for (const { drop } of databases.splice(0)) await drop()
})

const file = () => join(folder, 'club.backup')
const backUp = (path = file()) =>
  makeBackup({ address: app.databaseUrl, openImages: async () => app.deps.images, path })

async function empty(): Promise<string> {
  const database = await createEmptyDatabase()
  databases.push(database)
  return database.url
}

async function restore(address: string, path = file()) {
  const restored = await restoreBackup({ address, openImages: async (id) => diskStore(folder, `images-${id}`), path })
  return { ...restored, address, images: diskStore(folder, `images-${restored.id}`) }
}

async function inDatabase<T>(address: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(address)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Count and hash of each table's rows. */
async function contents(address: string) {
  return withClient(address, async (client) => {
    const { tables } = await beginSnapshot(client)
    const found: [string, unknown][] = []
    for (const table of tables) {
      const digest = rowsDigest()
      for await (const chunk of await copyOut(client, table)) digest.add(chunk)
      found.push([table.name, digest.result()])
    }
    return Object.fromEntries(found.filter(([name]) => name !== 'installation'))
  })
}

/** All that a schema is made of: what could be forgotten when rows are written around it. */
const schemaOf = (address: string) =>
  inDatabase(address, async (db) => {
    const { rows } = await sql<{ what: string }>`
      select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as what from pg_constraint
        where conrelid <> 0 and connamespace = current_schema()::regnamespace
      union all select indexdef from pg_indexes where schemaname = current_schema()
      union all select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
      union all select concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attidentity, attnotnull, attgenerated)
        from pg_attribute join pg_class c on c.oid = attrelid
        where c.relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
      order by 1`.execute(db)
    return rows.map(({ what }) => what)
  })

async function newLogo(): Promise<string> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#6464d3' } })
  const upload = { kind: 'club-logo' as const, bytes: await picture.png().toBuffer(), field: 'logo', owner: 'club 1' }
  return (await storeImage(app.deps.images, upload)).file
}

test('a restored installation has every row, image, number and rule, and goes on where the backup was made', async () => {
  const { club, event, token, admin } = await makeFixture(app, { maxAttendees: 400 })
  const extras = await makeExtras(app, token, event.id, { content: [{ name: 'Beer', quantity: 2 }] })
  const registration = await makeRegistration(app, event, { name: 'Zoë \\N "N"; --', extrasIds: [extras.id] })
  await makeMany(app, event, 300)
  await app.finishMails()
  const logo = await newLogo()
  await app.deps.db.updateTable('clubs').set({ logo }).where('id', '=', club.id).execute()
  await newLogo() // Named by no row, so it is not in the backup.
  const { images, missing } = await backUp()
  expect([images, missing]).toEqual([2, []])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['club.backup'])

  const { address, images: store, rows } = await restore(await empty())
  expect(rows.registrations).toBe(301)
  expect(await contents(address)).toEqual(await contents(app.databaseUrl))
  expect(await schemaOf(address)).toEqual(await schemaOf(app.databaseUrl))
  await inDatabase(address, verify)
  const names = (await store.list()).map(({ name }) => name)
  expect(names.sort()).toEqual([`${logo.slice(0, 32)}.png`, `${logo.slice(0, 32)}.webp`])
  for (const name of names) expect(await store.get(name)).toEqual(await app.deps.images.get(name))

  const other = await startApp({ databaseUrl: address })
  try {
    const { currentUser } = await other.call(authApi.signin, { email: admin.email, password: PASSWORD })
    expect(currentUser.id).toBe(admin.id)
    const ticket = { registrationId: registration.id, qrUuid: registration.qrUuid }
    expect(await other.call(ticketApi.getRegistration, ticket)).toMatchObject({
      registration: { id: registration.id },
    })
    const highest = await app.deps.db
      .selectFrom('registrations')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    expect((await makeRegistration(other, event)).id).toBe(Number(highest.id) + 1)
    await verify(other.deps.db)
  } finally {
    await other.stop()
  }
})

test('images come along from object storage, also those of the older prefix, and get a prefix of their own', async () => {
  const server = await startS3Server()
  try {
    const settings = {
      endpoint: server.url,
      bucket: 'club',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'x',
    }
    const { club } = await makeFixture(app)
    const [logo, cover] = [`${'a'.repeat(32)}.png`, `${'b'.repeat(32)}.jpg`]
    await app.deps.db.updateTable('clubs').set({ logo, cover }).where('id', '=', club.id).execute()
    const openImages = (id: string) => s3Store(settings, id)
    const { id } = await app.deps.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
    await (await openImages(id)).put(logo, Buffer.from('logo'))
    server.objects.set(`/club/images/${cover.replace('.', '-800.')}`, {
      bytes: Buffer.from('cover'),
      writtenAt: new Date(),
    })
    const made = await makeBackup({ address: app.databaseUrl, openImages, path: file() })
    expect([made.images, made.missing]).toEqual([2, []])

    const restored = await restoreBackup({ address: await empty(), openImages, path: file() })
    const own = [...server.objects].filter(([key]) => key.startsWith(`/club/images-${restored.id}/`))
    expect(own.map(([key, { bytes }]) => [key.split('/').at(-1), bytes.toString()])).toEqual([
      [logo, 'logo'],
      [cover.replace('.', '-800.'), 'cover'],
      ['installation-id', `${restored.id}\n`],
    ])
  } finally {
    await server.stop()
  }
})

test('a phone loads its list anew from a restored installation, which takes the scans that wait on it', async () => {
  const { event, token } = await makeFixture(app)
  const registration = await makeRegistration(app, event)
  await backUp()
  const late = await makeRegistration(app, event)
  const list = await app.call(doorApi.getDoorList, { eventId: event.id }, token)
  expect(list.tickets.map(({ id }) => id)).toEqual([registration.id, late.id])

  // Another installation is recognized by its id alone: numbers of tables can be equal, too.
  await sql`update installation set id = gen_random_uuid()`.execute(app.deps.db)
  const sameCursor = { eventId: event.id, since: list.cursor }
  expect(await app.call(doorApi.getDoorList, sameCursor, token)).toMatchObject({ isFull: true })

  const other = await startApp({ databaseUrl: (await restore(await empty())).address })
  try {
    const since = { eventId: event.id, since: list.cursor }
    const anew = await other.call(doorApi.getDoorList, since, token)
    expect([anew.isFull, anew.tickets.map(({ id }) => id)]).toEqual([true, [registration.id]])
    const next = await other.call(doorApi.getDoorList, { eventId: event.id, since: anew.cursor }, token)
    expect(next).toMatchObject({ isFull: false, tickets: [] })
    const scans = [registration, late].map((ticket) => ({
      scanId: scanOf(ticket).payload.scanId,
      act: { kind: 'code' as const, qrCodeData: ticketUrl(BASE_URL, ticket) },
      agoMs: 60_000,
      wasShownIn: true,
    }))
    const payload = { eventId: event.id, device: { id: 'aaaa', name: 'Gate A' }, scans }
    const { answers } = await other.call(doorApi.syncScans, { payload }, token)
    expect(answers.map(({ code }) => code)).toEqual([null, 'NOT_FOUND'])
  } finally {
    await other.stop()
  }
})

test('a backup made while people register, scan and change images is of one moment', async () => {
  const { event, club } = await makeFixture(app, { maxAttendees: null })
  await makeMany(app, event, 2_000)
  const logo = await newLogo()
  await app.deps.db.updateTable('clubs').set({ logo }).where('id', '=', club.id).execute()
  let isOver = false
  let made = 0
  const rush = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      await makeRegistration(app, event)
      made++
    }
  })
  while (made < 20) await wait(5)
  const before = made
  // Replaced while the backup goes on: what the rows of its moment name is in the trash then.
  const store = { ...app.deps.images, list: async () => [] }
  await app.deps.images.remove(`${logo.slice(0, 32)}.png`)
  const { tables, images, missing } = await makeBackup({
    address: app.databaseUrl,
    openImages: async () => store,
    path: file(),
  })
  const after = made
  isOver = true
  await Promise.all(rush)
  const taken = (tables.registrations?.rows ?? 0) - 2_000
  expect(taken).toBeGreaterThanOrEqual(before)
  expect(taken).toBeLessThan(after)
  expect([images, missing]).toEqual([1, []])

  const { address } = await restore(await empty())
  await inDatabase(address, async (db) => {
    await verify(db)
    const { registrationCount } = await db.selectFrom('events').select('registrationCount').executeTakeFirstOrThrow()
    expect(registrationCount).toBe(2_000 + taken)
  })
})

/** The file with a bit changed here, or a little later: some bits of a compressed file mean nothing, such as those that fill a byte. */
function changedAt(whole: Buffer, at: number): Buffer {
  const changed = Buffer.from(whole)
  changed[at] = (changed[at] ?? 0) ^ 0x10
  try {
    if (gunzipSync(changed).equals(gunzipSync(whole))) return changedAt(whole, at + 1)
  } catch {
    // It cannot be read any more.
  }
  return changed
}

test('a file that was cut, changed or continued is refused before anything is written, and so is one that is no backup', async () => {
  const { event } = await makeFixture(app)
  await makeMany(app, event, 50)
  await backUp()
  const whole = readFileSync(file())
  const address = await empty()
  const bad = join(folder, 'bad.backup')
  const refusal = () => restore(address, bad).then(() => 'restored', String)

  for (const share of [0.1, 0.5, 0.9, 0.999]) {
    writeFileSync(bad, whole)
    truncateSync(bad, Math.floor(whole.length * share))
    expect(await refusal(), `cut at ${share}`).toMatch(/bad\.backup is (not complete: its end is missing|damaged)/)
  }
  for (const share of [0.02, 0.3, 0.6, 0.97]) {
    writeFileSync(bad, changedAt(whole, Math.floor(whole.length * share)))
    expect(await refusal(), `changed at ${share}`).toMatch(/is damaged|is not complete|is not a backup/)
  }
  for (const more of [Buffer.from('more'), Buffer.alloc(512)]) {
    writeFileSync(bad, Buffer.concat([whole, more]))
    expect(await refusal()).toContain('is damaged')
  }
  // Changed by somebody who packs the archive anew, so that only our own checksum can tell.
  const archive = gunzipSync(whole)
  const changed = Buffer.from(archive)
  changed.write('Ghost', changed.indexOf('Guest'))
  writeFileSync(bad, gzipSync(changed))
  expect(await refusal()).toContain('is damaged')
  writeFileSync(
    bad,
    gzipSync(Buffer.concat([archive.subarray(0, archive.lastIndexOf('end.json')), Buffer.alloc(1024)])),
  )
  expect(await refusal()).toContain('is not complete: its end is missing')
  writeFileSync(bad, 'Dear treasurer, …')
  expect(await refusal()).toContain('is not a backup made by Turnout')
  expect(await restore(address, join(folder, 'none')).catch(String)).toContain('There is no file')
  expect((await restore(address)).rows.registrations).toBe(50)
})

test('rows that do not fit the checksum of the end are refused, even in a whole archive', async () => {
  await makeFixture(app)
  await backUp()
  const { header } = await checkBackup(file())
  const forged = join(folder, 'forged.backup')
  const fill = async () => ({ tables: {}, images: 0 })
  await writeBackup({ path: forged, header, fill, signal: undefined })
  const address = await empty()
  await expect(restore(address, forged)).rejects.toThrow('is not what it was in the backup. Nothing was restored.')
  expect((await restore(address)).rows.clubs).toBe(1)
})

test('only an empty database is restored into; another program’s tables there are not touched', async () => {
  await makeFixture(app)
  await backUp()
  await expect(restore(app.databaseUrl)).rejects.toThrow('already holds an installation')
  const migrated = await createTestDatabase()
  databases.push(migrated)
  await expect(restore(migrated.url)).rejects.toThrow('already holds an installation')

  const address = await empty()
  const bookings = sql`create table bookings (id int primary key, of text references bookings_of (name))`
  await inDatabase(address, async (db) => {
    await sql`create table bookings_of (name text primary key)`.execute(db)
    await bookings.execute(db)
    await sql`create index bookings_by on bookings (of)`.execute(db)
    await sql`insert into bookings_of values ('us')`.execute(db)
    await sql`insert into bookings values (1, 'us')`.execute(db)
  })
  await restore(address)
  const left = await inDatabase(address, (db) => sql<{ id: number }>`select id from bookings`.execute(db))
  expect(left.rows).toEqual([{ id: 1 }])
})

test('a file of a newer version is refused, one of an older version is migrated', async () => {
  const old = await empty()
  const db = connect(old, { isPatient: true })
  await migrate(db, '006-door')
  await sql.raw(oldRows).execute(db)
  await db.destroy()
  const path = join(folder, 'old.backup')
  await makeBackup({ address: old, openImages: async () => app.deps.images, path })
  const { header } = await checkBackup(path)
  expect(header.migrations.at(-1)).toBe('006-door')

  const { address, id } = await restore(await empty(), path)
  expect(await schemaOf(address)).toEqual(await schemaOf(app.databaseUrl))
  await inDatabase(address, async (db) => {
    await verify(db)
    expect(await db.selectFrom('installation').select('id').execute()).toEqual([{ id }])
    expect(await db.selectFrom('users').select('teamRole').orderBy('id').execute()).toEqual([
      { teamRole: 'owner' },
      { teamRole: null },
    ])
  })

  const fill = async () => ({ tables: {}, images: 0 })
  const newer: Header = { ...header, version: '2', migrations: [...header.migrations, '999-later'] }
  await writeBackup({ path: join(folder, 'newer'), header: newer, fill, signal: undefined })
  const refused = restore(await empty(), join(folder, 'newer'))
  await expect(refused).rejects.toThrow('was made by a newer version of Turnout (its database has the change 999-later')
  const later = { ...header, format: 2 } as unknown as Header // A format that this version does not know.
  await writeBackup({ path: join(folder, 'later'), header: later, fill, signal: undefined })
  await expect(restore(await empty(), join(folder, 'later'))).rejects.toThrow('made by a newer version of Turnout')
})

test('a backup that is stopped or cannot be written leaves no file, and never takes the place of one', async () => {
  const { event } = await makeFixture(app)
  await makeMany(app, event, 500)
  const stopping = new AbortController()
  const openImages = async () => {
    stopping.abort(new Error('stopped'))
    return app.deps.images
  }
  const stopped = makeBackup({ address: app.databaseUrl, openImages, path: file(), signal: stopping.signal })
  await expect(stopped).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
  await expect(backUp(join(folder, 'none', 'x'))).rejects.toThrow('ENOENT')
  await backUp()
  await expect(backUp()).rejects.toThrow('is there already')
  await expect(makeBackup({ address: await empty(), openImages, path: join(folder, 'x') })).rejects.toThrow(
    'the database has no tables of Turnout',
  )
})
