import type { CopyWork } from '../db/embedded/upgrade/copy.ts'
import { unknownMigrations } from '../db/migrate.ts'
import { type OneConnection, withClient } from '../db/on-client.ts'
import { beginSnapshot, copyOut, isInstalled, readSequences } from './export-queries.ts'
import { rowsDigest, type TableShape } from './file-format.ts'
import { analyze, beginImport, commit, completeTables, copyIn, hasTable, makeTables } from './import-queries.ts'
import { contentOf } from './restore-rows.ts'
import { listThings } from './things-queries.ts'

/** How often somebody who waits hears of it, in ms. */
const TELL_EVERY_MS = 5_000

/**
 * Copies all of Turnout's rows into another, empty database, all or nothing, and compares every table, sequence and migration. It stays the same
 * installation. Returns what else the old database has that the new one has not.
 */
export function copyDatabase({ from, to, tell, signal }: CopyWork): Promise<string[]> {
  const copy = (old: OneConnection, fresh: OneConnection) => copyInto({ old, fresh, tell })
  return withClient(from, (old) => withClient(to, (fresh) => copy(old, fresh), signal), signal)
}

interface Copying extends Pick<CopyWork, 'tell'> {
  old: OneConnection
  fresh: OneConnection
}

async function copyInto({ old, fresh, tell }: Copying): Promise<string[]> {
  if (await isInstalled(old)) await copyTables({ old, fresh, tell })
  const there = new Set(await listThings(fresh))
  return (await listThings(old)).filter((thing) => !there.has(thing))
}

async function copyTables({ old, fresh, tell }: Copying): Promise<void> {
  const { tables, sequences, migrations } = await beginSnapshot(old)
  const [unknown] = unknownMigrations(migrations)
  if (unknown !== undefined) throw new Error(`its tables were made by a newer version of Turnout (${unknown})`)
  await beginImport(fresh)
  const taken = await makeTables(fresh, migrations)
  let toldAt = Date.now()
  let rows = 0
  for (const [done, table] of tables.entries()) {
    // Tables of somebody else stay behind, and are named at the end.
    if (!(await hasTable(fresh, table))) continue
    rows += await copyTable(old, fresh, table)
    if (Date.now() - toldAt < TELL_EVERY_MS) continue
    toldAt = Date.now()
    tell(`Copied and compared ${rows.toLocaleString('en')} rows, ${done + 1} of ${tables.length} tables …`)
  }
  tell(`Copied and compared all ${rows.toLocaleString('en')} rows. Making the indexes …`)
  await completeTables(fresh, taken, sequences)
  const made = new Map((await readSequences(fresh)).map((state) => [state.name, JSON.stringify(state)]))
  for (const state of sequences)
    if (made.has(state.name) && made.get(state.name) !== JSON.stringify(state))
      throw new Error(`the sequence ${state.name} is not what it was`)
  await commit(fresh)
  await analyze(fresh)
}

/** Copies a table's rows, reads them back, and compares. Returns how many there are. */
async function copyTable(old: OneConnection, fresh: OneConnection, table: TableShape): Promise<number> {
  const digest = rowsDigest()
  await copyIn(fresh, table, digested(await copyOut(old, table), digest.add))
  const was = digest.result()
  const is = await contentOf(fresh, table)
  if (was.rows !== is.rows || was.sha256 !== is.sha256) throw new Error(`the table ${table.name} is not what it was`)
  return is.rows
}

async function* digested(rows: AsyncIterable<Buffer>, add: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    add(chunk)
    yield chunk
  }
}
