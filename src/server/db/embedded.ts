import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries, isReachable, serverUser } from './embedded-binaries.ts'

export interface Embedded {
  connection: { host: string; user: string; database: string; password: string }
  /** Stops the server and waits until it is down. */
  stop: () => Promise<void>
  /** Resolves when our hold on the data directory is lost for good: nothing may be served any more. */
  lost: Promise<Error>
}

interface Place {
  dataDir: string
  /** Owned by the server's user and closed to everyone else. */
  serverDir: string
  data: string
  socketDir: string
}

const USER = 'turnout'
const OWNER_LOCK = 4_851_903
const PATIENCE_MS = 30_000
// A socket's address has room for 107 bytes, of which its file name takes 15.
const LONGEST_SOCKET_DIR = 90

/**
 * Runs a real PostgreSQL server on `<dataDir>/postgres`, reached over a socket by password. A server that an earlier
 * process of ours left behind is taken over; one that another process uses is refused. While we run, a server that dies is
 * started again. `fsync` is switched off by tests alone.
 */
export async function openEmbedded(
  dataDir: string,
  log: (line: string) => void,
  { fsync = true } = {},
): Promise<Embedded> {
  const place = makePlace(dataDir)
  const binaries = await findBinaries(place.serverDir)
  const password = readPassword(dataDir)
  if (!existsSync(join(place.data, 'PG_VERSION'))) initialise(place, binaries, password)
  checkVersion(place, binaries)

  const connection = { host: place.socketDir, user: USER, database: 'postgres', password }
  const start = starter(place, binaries, fsync, log)
  let owner = await holdDirectory(place, connection, start)
  removeLeftovers(place)
  let isStopping = false

  const lost = new Promise<Error>((resolve) => {
    const watch = () => {
      owner.once('end', async () => {
        if (isStopping) return
        log('embedded PostgreSQL went away; starting it again')
        try {
          owner = await holdDirectory(place, connection, start)
          watch()
        } catch (error) {
          resolve(error instanceof Error ? error : new Error(String(error)))
        }
      })
    }
    watch()
  })

  return {
    connection,
    lost,
    stop: async () => {
      isStopping = true
      await owner.end().catch(() => {})
      await stopServer(place)
    },
  }
}

function makePlace(dataDir: string): Place {
  mkdirSync(dataDir, { recursive: true })
  if (!isReachable(dataDir))
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (nobody) cannot reach ${dataDir}: run Turnout as an ordinary user, or set DATA_DIR to a folder such as /var/lib/turnout.`,
    )
  const serverDir = ownDir(join(dataDir, 'postgres'))
  const near = join(serverDir, 'socket')
  const hash = createHash('sha256').update(serverDir).digest('hex').slice(0, 16)
  const socketDir = ownDir(Buffer.byteLength(near) <= LONGEST_SOCKET_DIR ? near : join(tmpdir(), `turnout-${hash}`))
  return { dataDir, serverDir, data: join(serverDir, 'data'), socketDir }
}

/** A folder of the server's user that nobody else may enter. One that somebody else made in our place is refused. */
function ownDir(dir: string): string {
  const uid = serverUser?.uid ?? process.getuid?.() ?? 0
  if (!existsSync(dir)) {
    mkdirSync(dir, { mode: 0o700 })
    if (serverUser) chownSync(dir, serverUser.uid, serverUser.gid)
  }
  if (statSync(dir).uid !== uid)
    throw new Error(`The folder ${dir} belongs to another user than PostgreSQL would run as.`)
  return dir
}

/** The password of this installation's database, made at the first start; of two that start at once, one makes it. */
function readPassword(dataDir: string): string {
  const path = join(dataDir, 'postgres-password')
  if (!existsSync(path)) {
    const part = `${path}.${process.pid}`
    writeFileSync(part, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (!existsSync(path)) renameSync(part, path)
  }
  return readFileSync(path, 'utf8').trim()
}

/** Makes the data folder beside its place and moves it there when it is whole, so that a crash leaves no half of one. */
function initialise({ serverDir, data }: Place, { initdb }: Binaries, password: string): void {
  const half = join(serverDir, `data.new.${process.pid}`)
  const passwordFile = join(serverDir, `password.${process.pid}`)
  rmSync(half, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (serverUser) chownSync(passwordFile, serverUser.uid, serverUser.gid)
  const options = [
    '-D',
    half,
    '-U',
    USER,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  const { status, stderr, error } = spawnSync(initdb, options, { ...serverUser, cwd: serverDir, encoding: 'utf8' })
  rmSync(passwordFile, { force: true })
  if (status !== 0) throw new Error(`The embedded database could not be made: ${error?.message ?? stderr.trim()}`)
  try {
    renameSync(half, data)
  } catch (fault) {
    // Another process that started at the same moment was first; the one lock of the running server decides who stays.
    if (!existsSync(join(data, 'PG_VERSION'))) throw fault
    rmSync(half, { recursive: true, force: true })
  }
}

function removeLeftovers({ serverDir }: Place): void {
  for (const name of readdirSync(serverDir))
    if (name.startsWith('data.new.') || name.startsWith('password.'))
      rmSync(join(serverDir, name), { recursive: true, force: true })
}

/** A data folder of another major version is never touched: its data would need an upgrade first. */
function checkVersion({ data }: Place, { postgres }: Binaries): void {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const { stdout } = spawnSync(postgres, ['--version'], { ...serverUser, cwd: dirname(data), encoding: 'utf8' })
  const ours = /(\d+)\./.exec(stdout)?.[1]
  if (made !== ours)
    throw new Error(
      `The data in ${data} was made by PostgreSQL ${made}, this Turnout brings PostgreSQL ${ours}. Nothing was changed: export it with the old version, or serve it by DATABASE_URL.`,
    )
}

/** Answers a function that starts the server unless one that we started is still coming up or running. */
function starter(
  { serverDir, data, socketDir }: Place,
  { postgres }: Binaries,
  fsync: boolean,
  log: (line: string) => void,
) {
  const set = (name: string, value: string) => ['-c', `${name}=${value}`]
  const options = [
    ...['-D', data, '-k', socketDir],
    ...set('listen_addresses', ''),
    ...set('max_connections', '100'),
    ...set('shared_buffers', '128MB'),
    ...set('jit', 'off'),
    ...set('fsync', fsync ? 'on' : 'off'),
    // A refused row's values, which can be personal data, stay out of the server's own log.
    ...set('log_error_verbosity', 'terse'),
    ...set('log_min_error_statement', 'panic'),
  ]
  let running = false
  return () => {
    if (running) return
    running = true
    const serverLog = openSync(join(serverDir, 'server.log'), 'w', 0o600)
    // Detached, so that Ctrl-C in the terminal reaches us alone and we stop the server in order.
    const child = spawn(postgres, options, {
      ...serverUser,
      cwd: serverDir,
      detached: true,
      stdio: ['ignore', serverLog, serverLog],
    })
    closeSync(serverLog)
    const ended = (reason: string) => {
      running = false
      log(`embedded PostgreSQL ended (${reason})`)
    }
    child.once('error', (error) => ended(error.message))
    child.once('exit', (code, signal) => ended(signal ?? `code ${code}`))
    child.unref()
  }
}

/** Starts the server if need be, and takes the lock that says the directory is ours for as long as its connection lives. */
async function holdDirectory(place: Place, connection: pg.ClientConfig, start: () => void): Promise<pg.Client> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const client = await tryConnect(connection)
    if (client) {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [OWNER_LOCK])
      if (rows[0]?.held) return client
      await client.end().catch(() => {})
      throw new Error(`The data directory ${place.dataDir} is in use by another Turnout process.`)
    }
    if (Date.now() > deadline) throw new Error(`The embedded database did not start. ${lastLine(place)}`)
    start()
    await wait(50)
  }
}

async function tryConnect(connection: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  // Without a listener a lost connection would end the process; `end` follows and is acted upon.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    await client.end().catch(() => {})
    return null
  }
}

function lastLine({ serverDir }: Place): string {
  try {
    return readFileSync(join(serverDir, 'server.log'), 'utf8').trim().split('\n').at(-1) ?? ''
  } catch {
    return ''
  }
}

/** Asks the server to end at once but in order (SIGINT, "fast"), whoever started it, and waits for it. */
async function stopServer({ data }: Place): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  if (!(pid > 1)) return
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    return
  }
  const deadline = Date.now() + PATIENCE_MS
  while (existsSync(pidFile) && Date.now() < deadline) await wait(20)
}
