import { unknownMigrations } from '../db/migrate.ts'
import type { OneConnection } from '../db/on-client.ts'
import { copyOut } from './export-queries.ts'
import {
  type Header,
  imageOf,
  rowsDigest,
  type TableContent,
  type TableShape,
  tableOf,
  WrongBackup,
} from './file-format.ts'
import { completeTables, copyIn, hasTable, makeTables } from './import-queries.ts'
import { type Entry, readBackup } from './read-file.ts'

/** Refuses a file that this version cannot restore. */
export function refuseNewer(path: string, { version, migrations }: Header): void {
  const [first] = unknownMigrations(migrations)
  if (first !== undefined)
    throw new WrongBackup(
      `${path} was made by a newer version of Turnout (its database has the change ${first}, version ${version}): install that version or a later one, and restore with it.`,
    )
}

/**
 * Makes the tables and writes all rows of the file, within the transaction that the connection is in. Each table is read back and compared with the
 * file. Each image's file is handed on. Returns the header and how many images there were.
 */
export async function restoreRows(
  client: OneConnection,
  path: string,
  putImage: (name: string, content: Buffer) => Promise<void>,
): Promise<{ header: Header; rows: Readonly<Record<string, number>>; images: number }> {
  const { header, entries } = await readBackup(path)
  refuseNewer(path, header)
  const taken = await makeTables(client, header.migrations)
  const found: Record<string, TableContent> = {}
  let next = await entries.next()
  for (const table of header.tables) {
    // Other programs may have tables in the same database.
    const isKnown = await hasTable(client, table)
    const rows = rowsOf(table)
    if (isKnown) await copyIn(client, table, rows)
    else for await (const _ of rows);
    if (isKnown) found[table.name] = await contentOf(client, table)
  }
  let images = 0
  for (; !next.done; next = await entries.next()) {
    const name = imageOf(next.value.name)
    if (name === null)
      throw new WrongBackup(`${path} holds something that this version does not know: ${next.value.name}`)
    await putImage(name, next.value.content)
    images++
  }
  const { tables } = next.value
  for (const [name, content] of Object.entries(found))
    if (content.rows !== tables[name]?.rows || content.sha256 !== tables[name].sha256)
      throw new Error(`The table ${name} is not what it was in the backup. Nothing was restored.`)
  await completeTables(client, taken, header.sequences)
  const rows = Object.fromEntries(Object.entries(found).map(([name, content]) => [name, content.rows]))
  return { header, rows, images }

  async function* rowsOf({ name }: TableShape): AsyncGenerator<Buffer> {
    for (; isOf(next, name); next = await entries.next()) yield next.value.content
  }
}

function isOf(next: IteratorResult<Entry, unknown>, table: string): next is IteratorYieldResult<Entry> {
  return !next.done && tableOf(next.value.name) === table
}

/** Count and hash of what is in a table. */
export async function contentOf(client: OneConnection, table: TableShape): Promise<TableContent> {
  const digest = rowsDigest()
  for await (const chunk of await copyOut(client, table)) digest.add(chunk)
  return digest.result()
}
