import { rmSync } from 'node:fs'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { makeDataDir, TEMPLATE } from './serve.ts'

/** A data folder with a migrated database, which the servers of the project's tests copy: making one for each takes seconds. */
export default async function setup() {
  const dataDir = makeDataDir()
  const embedded = await openEmbedded(dataDir, () => {})
  const { host, user, password, database } = embedded.connection
  const db = connect(`postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`)
  await migrate(db)
  await db.destroy()
  await embedded.stop()
  process.env[TEMPLATE] = dataDir
  return () => rmSync(dataDir, { recursive: true, force: true })
}
