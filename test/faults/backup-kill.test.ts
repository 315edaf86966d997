import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../src/server/db/connect.ts'
import type { Db } from '../../src/server/db/schema.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/databases.ts'
import { ended } from '../support/serve.ts'

const PEOPLE = 3_000
const commandOf = (name: string) => join(import.meta.dirname, `../../dist/server/${name}.js`)

const rows = sql`
  with club as (
    insert into clubs (name, location, description, email, phone, website, currency, time_zone, created_at)
    values ('Rowing', '', '', '', '', '', 'eur', 'Europe/Berlin', now()) returning id
  ), event as (
    insert into events (club_id, name, description, location, starts_at, ends_at, time_zone, registration_count, ticket_price, currency,
      status, created_at)
    select id, 'Regatta', '', '', now(), now() + interval '1 day', 'Europe/Berlin', ${PEOPLE}, 0, 'eur', 'published', now() from club
    returning id, club_id
  )
  insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, registration_time, status, amount, currency)
  select id, club_id, gen_random_uuid(), 'Guest ' || n, 'guest' || n || '@example.org', '', '[]', now(), 'confirmed', 0, 'eur'
  from event, generate_series(1, ${PEOPLE}) n`

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-backup-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function run(name: 'backup' | 'restore', file: string, databaseUrl: string, dataDir: string) {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  return { args: [commandOf(name), file], options: { env, encoding: 'utf8' as const } }
}

/** Runs a command to its end. */
function finish(...of: Parameters<typeof run>) {
  const { args, options } = run(...of)
  return spawnSync(process.execPath, args, options)
}

/** Starts a command and kills it after a while. */
async function kill(afterMs: number, ...of: Parameters<typeof run>): Promise<void> {
  const { args, options } = run(...of)
  const child = spawn(process.execPath, args, { ...options, stdio: 'ignore' })
  await wait(afterMs)
  await ended(child, 'SIGKILL')
}

async function inDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(url)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Moments spread over this time, in ms, a little different in each run. */
const moments = (count: number, overMs: number) =>
  Array.from({ length: count }, (_, n) => ((n + Math.random()) / count) * overMs)

test('a backup that is killed leaves no file, and a restore that is killed leaves the installation empty or whole', async () => {
  const source = await createTestDatabase(inject('databaseUrl'))
  onTestFinished(() => source.drop())
  await inDatabase(source.url, (db) => rows.execute(db))
  const dir = folder()
  const dataDir = folder()
  const file = join(dir, 'whole')
  const begun = performance.now()
  expect(finish('backup', file, source.url, dataDir)).toMatchObject({ status: 0, stderr: '' })
  const backupMs = performance.now() - begun

  for (const [n, afterMs] of moments(3, backupMs).entries()) {
    await kill(afterMs, 'backup', join(dir, `killed-${n}`), source.url, dataDir)
    const left = readdirSync(dir).filter((name) => name.startsWith(`killed-${n}`))
    for (const name of left) {
      const { status, stderr } = finish('restore', join(dir, name), 'postgres://nobody@127.0.0.1:1/none', folder())
      // What has its name is whole, and so has come as far as the database. What was being written is refused before, unless the kill came
      // between its last byte and its name.
      const reason = name.includes('.part') ? /is not|ECONNREFUSED/ : /ECONNREFUSED/
      expect([status, stderr]).toEqual([1, expect.stringMatching(reason)])
    }
  }

  const target = await createEmptyDatabase(inject('databaseUrl'))
  onTestFinished(() => target.drop())
  const images = folder()
  const isThere = () =>
    inDatabase(target.url, async (db) => {
      const { rows: found } = await sql<{ tables: number }>`
        select count(*)::int as tables from pg_tables where schemaname = 'public'`.execute(db)
      return (found[0]?.tables ?? 0) > 0
    })
  for (const afterMs of moments(4, backupMs * 2)) {
    await kill(afterMs, 'restore', file, target.url, images)
    if (await isThere()) break
  }
  // The database ends what a killed process had begun; until then the next restore waits for it.
  const last = finish('restore', file, target.url, images)
  expect(last.status === 0 || /already holds an installation/.test(last.stderr), last.stderr).toBe(true)
  await inDatabase(target.url, async (db) => {
    const { rows: counts } = await sql`
      select (select count(*)::int from registrations) as rows, (select sum(registrations)::int from event_counts) as counted,
        (select count(*)::int from pg_trigger where tgname = 'registrations_counted' and tgenabled = 'O') as triggers,
        (select count(*)::int from pg_indexes where indexname = 'registrations_live_key') as indexes`.execute(db)
    expect(counts).toEqual([{ rows: PEOPLE, counted: PEOPLE, triggers: 1, indexes: 1 }])
  })
  expect(existsSync(join(images, 'images')) || readdirSync(images).some((name) => name.startsWith('images-'))).toBe(
    true,
  )
})
