import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { placeIn, USER } from './directory.ts'
import type { Embedded } from './embedded.ts'

/** Whether a data directory has an embedded database. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(join(placeIn(resolve(dataDir)).data, 'PG_VERSION'))
}

/** How to reach the embedded database that a running server has open; null when none answers. */
export async function attachEmbedded(dataDir: string): Promise<Embedded['connection'] | null> {
  const { socketDir, passwordFile } = placeIn(resolve(dataDir))
  if (!existsSync(passwordFile)) return null
  const password = readFileSync(passwordFile, 'utf8').trim()
  const connection = { host: socketDir, user: USER, database: 'postgres', password }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return connection
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}
