import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries, serverUser } from './embedded-binaries.ts'
import {
  checkVersion,
  initialise,
  makePlace,
  type Place,
  readPassword,
  removeLeftovers,
  USER,
} from './embedded-directory.ts'

export interface Embedded {
  connection: { host: string; user: string; database: string; password: string }
  /** Stops the server and waits until it is down. */
  stop: () => Promise<void>
  /** Resolves when our hold on the data directory is lost for good: nothing may be served any more. */
  lost: Promise<Error>
}

const OWNER_LOCK = 4_851_903
const PATIENCE_MS = 30_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
/** The server needs a moment to notice that a killed process is gone: refused so often is refused. */
const MOST_REFUSALS = 4
const LARGEST_LOG = 1_000_000
// PostgreSQL's error codes.
const WRONG_PASSWORD = '28P01'
const STARTING_OR_STOPPING = '57P03'

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
  const place = makePlace(resolve(dataDir))
  const binaries = await findBinaries(place.serverDir)
  const password = readPassword(place)
  if (!existsSync(join(place.data, 'PG_VERSION'))) initialise(place, binaries, password)
  checkVersion(place, binaries)

  const connection = { host: place.socketDir, user: USER, database: 'postgres', password }
  const start = starter(place, binaries, fsync, log)
  const first = await holdDirectory(place, connection, start)
  removeLeftovers(place)
  const { lost, release } = keepHold(first, () => {
    log('embedded PostgreSQL went away; starting it again')
    return holdDirectory(place, connection, start)
  })
  return {
    connection,
    lost,
    stop: async () => {
      // A directory that is no longer ours has a server that is no longer ours either.
      if (await release()) await stopServer(place, log)
    },
  }
}

/** Takes the hold again whenever its connection drops. `release` gives it up and answers whether we still had it. */
function keepHold(first: pg.Client, regain: () => Promise<pg.Client>) {
  let owner: pg.Client | null = first
  let regaining: Promise<void> = Promise.resolve()
  let isStopping = false
  const lost = new Promise<Error>((resolve) => {
    const watch = (client: pg.Client) =>
      client.once('end', () => {
        if (isStopping) return
        owner = null
        regaining = regain().then(
          (next) => {
            owner = next
            watch(next)
          },
          (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))),
        )
      })
    watch(first)
  })
  const release = async () => {
    isStopping = true
    // A server that is just being started again is waited for: stopped half-way it would stay behind.
    await regaining
    await owner?.end().catch(() => {})
    return owner !== null
  }
  return { lost, release }
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
    const serverLog = openLog(join(serverDir, 'server.log'))
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

/** Appended to, since a server that we are about to take over may be writing there; cut when it has grown large. */
function openLog(path: string): number {
  const log = openSync(path, 'a', 0o600)
  if (statSync(path).size > LARGEST_LOG) truncateSync(path)
  return log
}

/** Starts the server if need be, and takes the lock that says the directory is ours for as long as its connection lives. */
async function holdDirectory(place: Place, connection: pg.ClientConfig, start: () => void): Promise<pg.Client> {
  const deadline = Date.now() + PATIENCE_MS
  let refusals = 0
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const held = await tryHold(connection)
    if (held instanceof pg.Client) return held
    if (held === 'refused') refusals++
    if (refusals === MOST_REFUSALS)
      throw new Error(`The data directory ${place.dataDir} is in use by another Turnout process.`)
    if (held === WRONG_PASSWORD)
      throw new Error(`The password in ${place.passwordFile} does not open the database in ${place.data}.`)
    if (Date.now() > deadline) throw new Error(`The embedded database did not start. ${lastLine(place)}`)
    if (held !== 'refused' && held !== STARTING_OR_STOPPING) start()
    await wait(pause)
  }
}

/** The connection that holds the lock, `refused` when another holds it, or the code of what stood in the way. */
async function tryHold(connection: pg.ClientConfig): Promise<pg.Client | string> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  // Without a listener a lost connection would end the process; `end` follows and is acted upon.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [OWNER_LOCK])
    if (rows[0]?.held) return client
    await client.end()
    return 'refused'
  } catch (error) {
    client.end().catch(() => {})
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreachable'
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
async function stopServer({ data }: Place, log: (line: string) => void): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  if (!(pid > 1) || !signal(pid, 'SIGINT')) return
  const deadline = Date.now() + PATIENCE_MS
  while (signal(pid, 0)) {
    if (Date.now() > deadline) return log(`embedded PostgreSQL (process ${pid}) is still stopping`)
    await wait(20)
  }
}

/** Signals a process; false when there is none. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
