import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach } from 'vitest'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import type { HolderLine } from './hold-embedded.ts'

export const ROWS = 500
const holderFile = join(import.meta.dirname, './hold-embedded.ts')

export interface Holder {
  process: ChildProcessByStdio<Writable, Readable, null>
  /** The first line that it prints; rejects if it ends without one. */
  first: Promise<HolderLine>
}

const dirs: string[] = []
const holders: Holder[] = []
const pools: pg.Pool[] = []
let made: Promise<string> | null = null

/** After each test of a file, ends the processes it started and removes its directories. */
export function setUpEmbedded(): void {
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end()
    for (const { process } of holders.splice(0)) await killed(process)
    for (const dir of dirs.splice(0)) {
      for (const pid of serversOn(dir)) process.kill(pid, 'SIGKILL')
      await until(() => serversOn(dir).length === 0)
      rmSync(dir, { recursive: true, force: true })
    }
  })

  afterAll(async () => {
    if (made) rmSync(await made, { recursive: true, force: true })
  })
}

export function inUse(dir: string): string {
  return `The data directory ${dir} is in use by another Turnout process.`
}

export function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-faults-'))
  // The server's own user must be able to enter the directory.
  chmodSync(dir, 0o755)
  dirs.push(dir)
  return dir
}

/** A folder with a stopped database: a copy of one that is created only once. */
export async function madeDir(): Promise<string> {
  made ??= newDir()
  const dir = freshDir()
  execFileSync('cp', ['-a', `${await made}/.`, dir])
  return dir
}

async function newDir(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-faults-'))
  chmodSync(dir, 0o755)
  await (await openEmbedded(dir, () => {})).stop()
  return dir
}

export function hold(dir: string, user: { uid?: number; gid?: number } = {}): Holder {
  const child = spawn(process.execPath, ['--import', 'tsx', holderFile, dir], {
    ...user,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const first = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const said: HolderLine = JSON.parse(line)
      return said
    }
    throw new Error('The process that should hold the database ended and said nothing.')
  })()
  const holder = { process: child, first }
  holders.push(holder)
  return holder
}

export async function opened({ first }: Holder) {
  const line = await first
  if (line.type !== 'open') throw new Error(line.message)
  return line.connection
}

export function poolOn(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: 4 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pools.push(pool)
  return pool
}

/** Writes each row in its own transaction; all are committed when this returns. */
export async function writeRows(pool: pg.Pool): Promise<void> {
  await pool.query('create table if not exists kept (id int generated always as identity)')
  for (let row = 0; row < ROWS; row++) await pool.query('insert into kept default values')
}

export async function countRows(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from kept')
  return rows[0]?.count ?? 0
}

/** The id of the database process that holds the lock on the directory; undefined while it is being taken again. */
export async function lockHolder(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>("select pid from pg_locks where locktype = 'advisory'")
  return rows[0]?.pid
}

export function serverOf(dir: string): number {
  const pid = serversOn(dir)[0]
  if (pid === undefined) throw new Error(`No server runs on ${dir}.`)
  return pid
}

/** The PostgreSQL servers that were started on this directory, from the process table. */
export function serversOn(dir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const [program = '', option, data = ''] = commandOf(pid)
      return program.endsWith('/postgres') && option === '-D' && data.startsWith(`${dir}/`)
    })
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

export async function killed(child: Holder['process']): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

export async function ended(child: Holder['process']): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export async function until(isSo: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('What was waited for did not happen within two minutes.')
    await wait(everyMs)
  }
}
