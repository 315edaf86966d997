import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isReachable, serverUser } from '../../src/server/db/embedded/binaries.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import {
  countRows,
  ended,
  freshDir,
  hold,
  inUse,
  killed,
  lockHolder,
  madeDir,
  opened,
  poolOn,
  ROWS,
  serverOf,
  serversOn,
  setUpEmbedded,
  until,
  writeRows,
} from '../support/embedded.ts'

const NOBODY = 65_534

setUpEmbedded()

test('opens, keeps what was written, closes, and opens again', async () => {
  const dir = freshDir()
  for (const expected of [ROWS, 2 * ROWS]) {
    const embedded = await openEmbedded(dir, () => {})
    const pool = poolOn(embedded.connection)
    await writeRows(pool)
    expect(await countRows(pool)).toBe(expected)
    await embedded.stop()
    expect(serversOn(dir)).toEqual([])
  }
})

test('requires its password, and does not listen on the network', async () => {
  const embedded = await openEmbedded(freshDir(), () => {})
  const guess = new pg.Client({ ...embedded.connection, password: 'guess' })
  guess.on('error', () => {})
  await expect(guess.connect()).rejects.toThrow('password authentication failed')
  const { rows } = await poolOn(embedded.connection).query(
    'select name, setting from pg_settings where name = any($1)',
    [['listen_addresses', 'fsync', 'jit', 'server_encoding']],
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '',
    fsync: 'on',
    jit: 'off',
    server_encoding: 'UTF8',
  })
  await embedded.stop()
})

test('a server killed with -9 comes back by itself with every committed row, and is still ours', async () => {
  const dir = freshDir()
  const embedded = await openEmbedded(dir, () => {})
  const pool = poolOn(embedded.connection)
  await writeRows(pool)
  const before = await lockHolder(pool)
  process.kill(serverOf(dir), 'SIGKILL')
  // Connections of the killed server answer for a moment, and the new server answers before its lock is taken again.
  await until(async () => ![before, undefined].includes(await lockHolder(pool).catch(() => undefined)))
  expect(await countRows(pool)).toBe(ROWS)
  expect((await hold(dir).first).type).toBe('refused')
  await embedded.stop()
})

test('a lock connection that the server cuts is opened again', async () => {
  const dir = freshDir()
  const embedded = await openEmbedded(dir, () => {})
  const pool = poolOn(embedded.connection)
  const before = await lockHolder(pool)
  await pool.query('select pg_terminate_backend($1)', [before])
  await until(async () => ![before, undefined].includes(await lockHolder(pool)))
  await embedded.stop()
})

test('a process that lost the directory to another leaves the server alone when it stops', async () => {
  const dir = freshDir()
  const embedded = await openEmbedded(dir, () => {})
  const pool = poolOn(embedded.connection)
  const thief = await pool.connect()
  const { rows } = await pool.query<{ pid: number; objid: number }>(
    "select pid, objid from pg_locks where locktype = 'advisory'",
  )
  // Requested before the owner loses the lock, so that the thief is next in line.
  const stolen = thief.query('select pg_advisory_lock($1)', [rows[0]?.objid])
  await until(async () => (await pool.query("select from pg_locks where locktype = 'advisory'")).rowCount === 2)
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await stolen
  expect((await embedded.lost).message).toBe(inUse(dir))
  await embedded.stop()
  expect((await thief.query('select 1 as alive')).rows).toEqual([{ alive: 1 }])
  thief.release()
})

test('stopping while the server is being started again leaves none behind', async () => {
  const dir = freshDir()
  const holder = hold(dir)
  expect((await holder.first).type).toBe('open')
  process.kill(serverOf(dir), 'SIGKILL')
  holder.process.stdin.write('stop\n')
  await ended(holder.process)
  expect(holder.process.exitCode).toBe(0)
  await until(() => serversOn(dir).length === 0)
})

test('after kill -9 of a process the next one adopts its server, with every committed row', async () => {
  const dir = freshDir()
  const holder = hold(dir)
  await writeRows(poolOn(await opened(holder)))
  const server = serverOf(dir)
  await killed(holder.process)
  const next = await openEmbedded(dir, () => {})
  expect(serverOf(dir)).toBe(server)
  expect(await countRows(poolOn(next.connection))).toBe(ROWS)
  await next.stop()
})

test('process and server killed with -9 together lose no committed row', async () => {
  const dir = freshDir()
  const holder = hold(dir)
  await writeRows(poolOn(await opened(holder)))
  const kill = killed(holder.process)
  process.kill(serverOf(dir), 'SIGKILL')
  await kill
  const next = await openEmbedded(dir, () => {})
  expect(await countRows(poolOn(next.connection))).toBe(ROWS)
  await next.stop()
})

test('a process killed with -9 while it creates the database leaves no half-made database', async () => {
  const dir = freshDir()
  const holder = hold(dir)
  holder.first.catch(() => {})
  const made = join(dir, 'postgres')
  await until(() => existsSync(made) && readdirSync(made).some((name) => name.startsWith('data.new.')), 1)
  await killed(holder.process)
  expect(existsSync(join(made, 'data'))).toBe(false)
  const next = await openEmbedded(dir, () => {})
  await writeRows(poolOn(next.connection))
  await next.stop()
})

test('a second process is refused, and the first works on', async () => {
  const dir = freshDir()
  const embedded = await openEmbedded(dir, () => {})
  expect(await hold(dir).first).toEqual({ type: 'refused', message: inUse(dir) })
  await expect(openEmbedded(dir, () => {})).rejects.toThrow(inUse(dir))
  await writeRows(poolOn(embedded.connection))
  await embedded.stop()
})

test('of processes that start at once on an empty directory, one opens and the others are refused', async () => {
  const dir = freshDir()
  const lines = await Promise.all([hold(dir), hold(dir), hold(dir)].map(({ first }) => first))
  expect(lines.filter(({ type }) => type === 'open')).toHaveLength(1)
  for (const line of lines) if (line.type !== 'open') expect(line.message).toBe(inUse(dir))
})

test('the data of another PostgreSQL version is refused and not touched', async () => {
  const dir = freshDir()
  await (await openEmbedded(dir, () => {})).stop()
  const version = join(dir, 'postgres', 'data', 'PG_VERSION')
  writeFileSync(version, '17\n')
  const before = readdirSync(join(dir, 'postgres', 'data'))
  await expect(openEmbedded(dir, () => {})).rejects.toThrow('is of PostgreSQL 17')
  expect(readdirSync(join(dir, 'postgres', 'data'))).toEqual(before)
  expect(readFileSync(version, 'utf8')).toBe('17\n')
  expect(serversOn(dir)).toEqual([])
})

test('a path too long for a socket gets a short one, which the next process finds too', async () => {
  const dir = join(freshDir(), 'a'.repeat(60), 'b'.repeat(60))
  const holder = hold(dir)
  const { host } = await opened(holder)
  expect(host.length).toBeLessThan(90)
  await killed(holder.process)
  const next = await openEmbedded(dir, () => {})
  expect(next.connection.host).toBe(host)
  await next.stop()
  rmSync(host, { recursive: true })
})

test.runIf(serverUser)('as root, a directory that the server cannot enter is refused with a sentence', async () => {
  const closed = join(freshDir(), 'closed')
  mkdirSync(closed, { mode: 0o700 })
  await expect(openEmbedded(join(closed, 'data'), () => {})).rejects.toThrow('cannot reach')
})

test.runIf(serverUser && isReachable(import.meta.dirname))('works for an ordinary user too', async () => {
  const dir = freshDir()
  chownSync(dir, NOBODY, NOBODY)
  const holder = hold(dir, { uid: NOBODY, gid: NOBODY })
  await writeRows(poolOn(await opened(holder)))
  holder.process.stdin.write('stop\n')
  await ended(holder.process)
  expect(serversOn(dir)).toEqual([])
})

test.runIf(serverUser && isReachable(import.meta.dirname))('a user without a name is told what to do', async () => {
  const dir = freshDir()
  chownSync(dir, 12_345, 12_345)
  const line = await hold(dir, { uid: 12_345, gid: 12_345 }).first
  expect(line).toMatchObject({ message: expect.stringContaining('number 12345) has none in /etc/passwd') })
})

test('a lost password is reported at once, and no server stays behind', async () => {
  const dir = await madeDir()
  writeFileSync(join(dir, 'postgres-password'), 'another')
  await expect(openEmbedded(dir, () => {})).rejects.toThrow('does not open the database')
  expect(serversOn(dir)).toEqual([])
})

test('a database that is gone is not replaced by an empty one, unless somebody says so', async () => {
  const dir = await madeDir()
  rmSync(join(dir, 'postgres'), { recursive: true })
  await expect(openEmbedded(dir, () => {})).rejects.toThrow('is gone, although there was one')
  expect(existsSync(join(dir, 'postgres/data'))).toBe(false)
  rmSync(join(dir, 'postgres-made'))
  await (await openEmbedded(dir, () => {})).stop()
})

test('a database that cannot start is tried once, and PostgreSQL’s own reason is reported', async () => {
  const dir = await madeDir()
  truncateSync(join(dir, 'postgres/data/global/pg_control'), 100)
  const lines: string[] = []
  await expect(openEmbedded(dir, (line) => lines.push(line))).rejects.toThrow(/(PANIC|FATAL): .*pg_control/)
  expect(lines.filter((line) => line.includes('ended'))).toHaveLength(1)
  rmSync(join(dir, 'postgres/data/global/pg_control'))
  await expect(openEmbedded(dir, () => {})).rejects.toThrow('could not find the database system')
  expect(serversOn(dir)).toEqual([])
})

test('an unrelated process that has the id of an earlier server is named, and left alone', async () => {
  const dir = await madeDir()
  const stranger = spawn('sleep', ['120'], { ...serverUser })
  writeFileSync(join(dir, 'postgres/data/postmaster.pid'), `${stranger.pid}\n`)
  await expect(openEmbedded(dir, () => {})).rejects.toThrow(`Process ${stranger.pid}, which postmaster.pid`)
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()

  rmSync(join(dir, 'postgres/data/postmaster.pid'))
  const holder = hold(dir)
  await opened(holder)
  await killed(holder.process)
  const next = await openEmbedded(dir, () => {})
  writeFileSync(join(dir, 'postgres/data/postmaster.pid'), `${stranger.pid}\n`)
  await next.stop()
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
})

test('a long recovery is waited for and reported; giving up leaves no server behind', async () => {
  const dir = await madeDir()
  const data = join(dir, 'postgres/data')
  const go = join(dir, 'go')
  // Recovery runs this command to get the next part of the log, so it lasts until the file exists.
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `restore_command = 'until test -e "${go}"; do sleep 0.05; done; false'\n`,
  )
  writeFileSync(join(data, 'recovery.signal'), '')
  if (serverUser) chownSync(join(data, 'recovery.signal'), NOBODY, NOBODY)

  const abort = new AbortController()
  const tell = () => abort.abort()
  await expect(openEmbedded(dir, () => {}, { tell, tellEveryMs: 10, signal: abort.signal })).rejects.toThrow('aborted')
  expect(serversOn(dir)).toEqual([])

  const lines: string[] = []
  const opening = openEmbedded(dir, () => {}, { tell: (line) => lines.push(line), tellEveryMs: 10 })
  await until(() => lines.length > 1)
  expect(lines[0]).toContain('Waiting for the embedded database')
  writeFileSync(go, '')
  await (await opening).stop()
})

test('a server that takes long to stop is ended at once', async () => {
  const dir = freshDir()
  const lines: string[] = []
  const embedded = await openEmbedded(dir, (line) => lines.push(line))
  const { rows } = await poolOn(embedded.connection).query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = rows[0]?.pid ?? 0
  process.kill(backend, 'SIGSTOP')
  await embedded.stop(1_000)
  expect(lines.join()).toContain('ending it at once')
  process.kill(backend, 'SIGCONT')
  await until(() => serversOn(dir).length === 0)
})

test.runIf(serverUser)('as root, a restored folder that belongs to root is handed over', async () => {
  const dir = await madeDir()
  execFileSync('chown', ['-R', 'root:root', join(dir, 'postgres')])
  execFileSync('chmod', ['755', join(dir, 'postgres'), join(dir, 'postgres/data')])
  await (await openEmbedded(dir, () => {})).stop()
  execFileSync('chown', ['-R', 'root:root', join(dir, 'postgres/data')])
  await (await openEmbedded(dir, () => {})).stop()
})

test('the log and the folders of the server follow no link that its user could have put there', async () => {
  const dir = await madeDir()
  const target = join(dir, 'target')
  writeFileSync(target, 'kept')
  rmSync(join(dir, 'postgres.log'))
  symlinkSync(target, join(dir, 'postgres.log'))
  await expect(openEmbedded(dir, () => {})).rejects.toThrow('postgres.log')
  expect(readFileSync(target, 'utf8')).toBe('kept')
  rmSync(join(dir, 'postgres.log'))
  symlinkSync(target, join(dir, 'postgres/server.log'))
  await (await openEmbedded(dir, () => {})).stop()
  expect(readFileSync(target, 'utf8')).toBe('kept')
})
