import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { asAdmin, TEMPLATE, withDatabase } from './databases.ts'

/** One real PostgreSQL server for a project's tests, with a migrated template that each test copies. */
export default async function setup(project: TestProject) {
  const server = process.env.TEST_DATABASE_URL ? null : await startServer()
  const adminUrl = process.env.TEST_DATABASE_URL ?? server?.url ?? ''
  await asAdmin(adminUrl, `drop database if exists ${TEMPLATE}`)
  await asAdmin(adminUrl, `create database ${TEMPLATE}`)
  const db = connect(withDatabase(adminUrl, TEMPLATE), { isPatient: true })
  await migrate(db)
  await db.destroy()
  project.provide('databaseUrl', adminUrl)
  return () => server?.stop()
}

async function startServer() {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-test-'))
  // The embedded server's own user must be able to enter the directory.
  chmodSync(dir, 0o755)
  const embedded = await openEmbedded(dir, () => {}, { fsync: false })
  const { host, user, password, database } = embedded.connection
  return {
    url: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await embedded.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
