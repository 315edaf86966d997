import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { beginSnapshot } from '../../src/server/backup/export-queries.ts'
import type { TableContent } from '../../src/server/backup/file-format.ts'
import { contentOf } from '../../src/server/backup/restore-rows.ts'
import { connect } from '../../src/server/db/connect.ts'
import { initialiseOnce, makePlace, readPassword, USER } from '../../src/server/db/embedded/directory.ts'
import { holdDirectory } from '../../src/server/db/embedded/hold.ts'
import { postgresServer } from '../../src/server/db/embedded/server.ts'
import { havePackage } from '../../src/server/db/embedded/upgrade/fetch-package.ts'
import { oldPackage } from '../../src/server/db/embedded/upgrade/old-packages.ts'
import { findOldPrograms } from '../../src/server/db/embedded/upgrade/old-programs.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { type Address, withClient } from '../../src/server/db/on-client.ts'
import { makeExtras, makeFixture, makeRegistration, scanOf } from './make.ts'
import { makeMany } from './make-many.ts'
import { startApp } from './start-app.ts'

export const OLD = 17
const cache = join(import.meta.dirname, '../../node_modules/.cache/turnout')

const { signal } = new AbortController()
const tell = () => {}

/** The file of the old version's package: fetched once, as the product does it. */
export async function oldPackageFile(): Promise<{ path: string; file: string }> {
  const wanted = oldPackage(OLD)
  if (wanted === null) throw new Error(`No package of PostgreSQL ${OLD} is known for this machine.`)
  mkdirSync(cache, { recursive: true })
  return { path: await havePackage(wanted, { dir: cache, tell, signal }), file: wanted.file }
}

/** Runs an embedded database of the old major version in this folder, as an older Turnout did. */
export async function openOld(dir: string) {
  const { path, file } = await oldPackageFile()
  copyFileSync(path, join(dir, file))
  const binaries = await findOldPrograms({ major: OLD, dataDir: dir, tell, signal })
  const place = makePlace(dir)
  const password = readPassword(place)
  initialiseOnce(place, binaries, password)
  const connection = { host: place.socketDir, user: USER, database: 'postgres', password }
  const server = postgresServer({ place, binaries, fsync: true, log: tell })
  const hold = await holdDirectory({ place, connection, server, tell, tellEveryMs: 10_000, retryMs: 0, signal })
  return {
    connection,
    url: `postgres://${USER}:${password}@localhost/postgres?host=${encodeURIComponent(place.socketDir)}`,
    stop: async () => {
      await hold.end()
      await server.stop(30_000)
    },
  }
}

/** Counts and hashes of all rows, the sequences, and the migrations that were done. */
export function contentsOf(address: Address) {
  return withClient(address, async (client) => {
    const { tables, sequences, migrations } = await beginSnapshot(client)
    const found: Record<string, TableContent> = {}
    for (const table of tables) found[table.name] = await contentOf(client, table)
    return { found, sequences, migrations }
  })
}

/** A folder with a stopped database of the old major version that holds a club's event with tickets, some of them checked in. */
export async function makeOldInstallation(dir: string) {
  const old = await openOld(dir)
  const db = connect(old.url, { isPatient: true })
  await migrate(db)
  await db.destroy()
  const app = await startApp({ databaseUrl: old.url })
  const dates = { startsAt: new Date('2030-06-21T17:00:00Z'), endsAt: new Date('2030-06-21T21:00:00Z') }
  const { admin, token, event } = await makeFixture(app, dates)
  const extras = await makeExtras(app, token, event.id, { content: [{ name: 'Beer', quantity: 2 }] })
  const ticket = await makeRegistration(app, event, { name: 'Zoë \\N "N"; --', extrasIds: [extras.id] })
  const inside = await makeRegistration(app, event)
  await app.call(checkinApi.scanByRegistrationId, scanOf(inside), token)
  await makeMany(app, event, 2_000)
  await app.finishMails()
  const list = await app.call(doorApi.getDoorList, { eventId: event.id }, token)
  await app.stop()
  const contents = await contentsOf(old.connection)
  await old.stop()
  return { dir, contents, admin, event, ticket, inside, cursor: list.cursor }
}
