import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { madeBy, placeIn, USER } from './directory.ts'
import type { Embedded } from './embedded.ts'
import { isHalfSwapped } from './upgrade/swap.ts'

/** Whether a data directory has an embedded database. */
export function hasEmbedded(dataDir: string): boolean {
  const place = placeIn(resolve(dataDir))
  return madeBy(place) !== null || isHalfSwapped(place)
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
