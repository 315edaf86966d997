import { existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Binaries } from '../binaries.ts'
import { initialise, type Place } from '../directory.ts'
import { holdDirectory } from '../hold.ts'
import { type PostgresServer, postgresServer } from '../server.ts'
import type { CopyDatabase } from './copy.ts'
import { KEPT_DAYS, noteKept } from './kept.ts'
import { findOldPrograms } from './old-programs.ts'
import { checkSpace } from './space.ts'
import { keptData, newData, removeNew, swap } from './swap.ts'

/** The new server's own number, so that both have their socket in one folder. No network is involved. */
const NEW_PORT = 5433
/** Only we use it, and a copy that is killed begins anew: so rows need not be written into the log of changes as well. */
const NEW_SETTINGS = { port: String(NEW_PORT), wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '256MB' }
/** How long a server may take to write all that it holds in memory, in ms. */
const STOP_MS = 5 * 60_000
/** How long it may take when the upgrade has failed or is stopped, in ms. */
const GIVING_UP_MS = 3_000
/** How long one may take that a killed start has left, in ms. */
const LEFT_MS = 20_000

export interface Upgrading {
  from: number
  to: number
  place: Place
  /** The programs of the new version. */
  binaries: Binaries
  connection: { host: string; user: string; database: string; password: string }
  copy: CopyDatabase
  fsync: boolean
  log: (line: string) => void
  tell: (line: string) => void
  signal: AbortSignal
}

/**
 * Brings the data to a newer major version of PostgreSQL: copies it into a new database beside it, compares that, and swaps the two. The old data stays
 * as it is, and is kept. A start that is killed on the way is repeated by the next one.
 */
export async function upgrade(upgrading: Upgrading): Promise<void> {
  const { from, to, place, tell, signal } = upgrading
  const begun = Date.now()
  const kept = keptData(place, from)
  try {
    tell(
      `The database is of PostgreSQL ${from}, and this version of Turnout brings PostgreSQL ${to}. It is copied once; Turnout serves when that is done.`,
    )
    checkPlace(place, kept)
    const besides = await copyBeside(upgrading)
    noteKept(place.dataDir, { from, upgradedAt: new Date().toISOString(), besides })
    await swap(place, from)
    tell(
      `The database is of PostgreSQL ${to} now, after ${Math.round((Date.now() - begun) / 1000)} s. The old one is kept in ${kept}. ${fateOf(besides)}`,
    )
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The database could not be brought from PostgreSQL ${from} to ${to}: ${reason.replace(/\.$/, '')}. The old data in ${place.data} is unchanged: the next start tries again, and the version of Turnout from before works with it.`,
    )
  }
}

function fateOf(besides: readonly string[]): string {
  if (besides.length > 0)
    return `It holds what is not Turnout's and was not copied (${besides.join(', ')}), so it is never removed by itself: delete it when you no longer need it.`
  return `It is removed by the first nightly backup that is proven ${KEPT_DAYS} days from now; you may delete it before.`
}

/** The two folders are renamed, so they must be in one place. */
function checkPlace({ data, serverDir }: Place, kept: string): void {
  if (lstatSync(data).isSymbolicLink() || statSync(data).dev !== statSync(serverDir).dev)
    throw new Error(`${data} must be a folder on the same disk as ${serverDir}, and no link`)
  if (existsSync(kept)) throw new Error(`${kept} is in the way: move it away`)
}

/** Makes the new database beside the old one. Both servers have stopped when it returns what was not copied. */
async function copyBeside(upgrading: Upgrading): Promise<string[]> {
  const { from, place, binaries, connection, copy, fsync, log, tell, signal } = upgrading
  const oldPrograms = await findOldPrograms({ major: from, dataDir: place.dataDir, tell, signal })
  const next: Place = { ...place, data: newData(place), realData: () => newData(place) }
  const newServer = postgresServer({ place: next, binaries, fsync, settings: NEW_SETTINGS, log })
  const oldServer = postgresServer({ place, binaries: oldPrograms, fsync, log })
  const to = { ...connection, port: NEW_PORT }
  const waiting = { tell, tellEveryMs: 10_000, retryMs: 0, signal }
  const old = await holdDirectory({ ...waiting, place, connection, server: oldServer }).catch(
    async (error: unknown) => {
      // What is beside the data may be the work of the process that holds it.
      await oldServer.stopOwn(GIVING_UP_MS)
      throw error
    },
  )
  try {
    await keepOthersOut(old)
    // A killed start may have left a server there.
    await newServer.stop(LEFT_MS)
    removeNew(place)
    checkSpace(place.data)
    initialise(next, binaries, connection.password)
    await (await holdDirectory({ ...waiting, place: next, connection: to, server: newServer })).end()
    const besides = await copy({ from: connection, to, tell, signal })
    await stopped(newServer, next)
    await closeOthers(old)
    await stopped(oldServer, place)
    return besides
  } catch (error) {
    await Promise.all([newServer.stop(GIVING_UP_MS), oldServer.stopOwn(GIVING_UP_MS)])
    // One that we did not start goes on.
    await old.end().catch(() => {})
    removeNew(place)
    throw error
  }
}

/** Until the old server stops, nobody but us can change a row: it would not be in the copy. */
async function keepOthersOut(old: pg.Client): Promise<void> {
  await closeOthers(old)
  const { rows } = await old.query<{ tables: string | null }>(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  )
  await old.query('begin')
  await old.query('set local idle_in_transaction_session_timeout = 0')
  if (rows[0]?.tables) await old.query(`lock table ${rows[0].tables} in share mode`)
}

async function closeOthers(old: pg.Client): Promise<void> {
  await old.query(
    "select pg_terminate_backend(pid, 2000) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  )
}

async function stopped(server: PostgresServer, { data }: Place): Promise<void> {
  await server.stop(STOP_MS)
  if (existsSync(join(data, 'postmaster.pid'))) throw new Error(`the server of ${data} did not stop`)
}
