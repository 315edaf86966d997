import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the administration database of the tests' PostgreSQL; its `turnout_template` is migrated. */
    databaseUrl: string
  }
}

export const TEMPLATE = 'turnout_template'

export interface TestDatabase {
  url: string
  drop: () => Promise<void>
}

/** A fresh, migrated database for one test: a copy of the template's files, which is faster than copying through the write-ahead log. */
export async function createTestDatabase(adminUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(adminUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  return {
    url: withDatabase(adminUrl, name),
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** A fresh database without any table. */
export async function createEmptyDatabase(adminUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(adminUrl, `create database ${name}`)
  return {
    url: withDatabase(adminUrl, name),
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** The same server's address with another database. */
export function withDatabase(adminUrl: string, name: string): string {
  return adminUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

/** Runs one statement on the administration database. Copies of a template wait for each other, so they take turns. */
export async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}
