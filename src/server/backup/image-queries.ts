import type pg from 'pg'
import { onClient } from '../db/on-client.ts'
import { findInstallationId, listImagesInUse } from '../images/queries.ts'
import type { TableShape } from './file-format.ts'

/** The images that rows name, in the transaction that the connection is in. */
export function listImages(client: pg.Client, tables: readonly TableShape[]): Promise<Set<string>> {
  const columns = new Map(tables.map(({ name, columns }) => [name, columns]))
  return listImagesInUse(onClient(client), ({ table, column }) => columns.get(table)?.includes(column) ?? false)
}

/** The installation's id; null in a database of a version that had none. */
export async function readInstallationId(client: pg.Client, tables: readonly TableShape[]): Promise<string | null> {
  return tables.some(({ name }) => name === 'installation') ? findInstallationId(onClient(client)) : null
}
