import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from './binaries.ts'
import {
  checkVersion,
  initialiseOnce,
  makePlace,
  type Place,
  readPassword,
  removeLeftovers,
  USER,
} from './directory.ts'
import { type PostgresServer, postgresServer } from './server.ts'

export interface Embedded {
  connection: { host: string; user: string; database: string; password: string }
  /** Stops the server and waits until it is down, for 30 s unless told otherwise. */
  stop: (patienceMs?: number) => Promise<void>
  /** Resolves when our hold on the data directory is lost for good: nothing may be served any more. */
  lost: Promise<Error>
}

interface Options {
  /** Switched off only by tests. */
  fsync?: boolean
  /** Receives messages for somebody who waits for the start. */
  tell?: (line: string) => void
  /** How often they are repeated, in ms; shorter in tests. */
  tellEveryMs?: number
  /** Aborts the start; what was started is stopped. */
  signal?: AbortSignal
}

const OWNER_LOCK = 4_851_903
const PATIENCE_MS = 30_000
/** How long a server may take to stop when its start has failed. */
const GIVING_UP_MS = 4_000
const TELL_EVERY_MS = 10_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
/** This many refusals are final: the server needs a moment to notice that a killed process is gone. */
const MOST_REFUSALS = 4
// PostgreSQL's error codes.
const WRONG_PASSWORD = '28P01'
const STARTING_OR_STOPPING = '57P03'

/**
 * Runs a real PostgreSQL server on `<dataDir>/postgres`, reached over a socket by password. A server that an earlier
 * process of ours left behind is taken over; one that another process uses is refused. While we run, a server that dies is
 * started again. When it cannot be opened, no server that we started stays behind.
 */
export async function openEmbedded(
  dataDir: string,
  log: (line: string) => void,
  { fsync = true, tell = log, tellEveryMs = TELL_EVERY_MS, signal = new AbortController().signal }: Options = {},
): Promise<Embedded> {
  const place = makePlace(resolve(dataDir))
  const binaries = await findBinaries(place.dataDir)
  const password = readPassword(place)
  initialiseOnce(place, binaries, password)
  checkVersion(place, binaries)

  const connection = { host: place.socketDir, user: USER, database: 'postgres', password }
  const server = postgresServer({ place, binaries, fsync, log })
  const holding = { place, connection, server, tell, tellEveryMs }
  try {
    const first = await holdDirectory({ ...holding, retryMs: 0, signal })
    removeLeftovers(place)
    const { lost, release } = holdLock(first, (signal) => {
      log('embedded PostgreSQL went away; starting it again')
      return holdDirectory({ ...holding, retryMs: PATIENCE_MS, signal })
    })
    return {
      connection,
      lost,
      stop: async (patienceMs = PATIENCE_MS) => {
        // A directory that is no longer ours means that its server is no longer ours either.
        if ((await release()) !== 'lost') await server.stop(patienceMs)
      },
    }
  } catch (error) {
    await server.stopOwn(GIVING_UP_MS)
    throw error
  }
}

/** Takes the lock again whenever its connection drops. `release` gives it up and returns its state. */
function holdLock(first: pg.Client, regain: (signal: AbortSignal) => Promise<pg.Client>) {
  let hold: pg.Client | 'regaining' | 'lost' = first
  let regaining: Promise<void> = Promise.resolve()
  const stopping = new AbortController()
  const lost = new Promise<Error>((resolve) => {
    const watch = (client: pg.Client) =>
      client.once('end', () => {
        if (stopping.signal.aborted) return
        hold = 'regaining'
        regaining = regain(stopping.signal).then(
          (next) => {
            hold = next
            watch(next)
          },
          (error: unknown) => {
            if (stopping.signal.aborted) return
            hold = 'lost'
            resolve(error instanceof Error ? error : new Error(String(error)))
          },
        )
      })
    watch(first)
  })
  const release = async (): Promise<'held' | 'regaining' | 'lost'> => {
    stopping.abort()
    await regaining
    if (!(hold instanceof pg.Client)) return hold
    // A server that does not answer is stopped anyway.
    await Promise.race([hold.end().catch(() => {}), wait(500)])
    return 'held'
  }
  return { lost, release }
}

interface Holding {
  place: Place
  connection: pg.ClientConfig
  server: PostgresServer
  tell: (line: string) => void
  tellEveryMs: number
  /** For how long a server that ends by itself is started again, in ms. */
  retryMs: number
  signal: AbortSignal
}

/**
 * Starts the server if need be, and takes the lock that marks the directory as ours for as long as its connection lives. A server that
 * reports that it is starting, as during a long recovery, is waited for without limit.
 */
async function holdDirectory(holding: Holding): Promise<pg.Client> {
  const { place, connection, server, tell, tellEveryMs, retryMs, signal } = holding
  const begun = Date.now()
  let deadline = begun + PATIENCE_MS
  let toldAt = begun
  let refusals = 0
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  aborted.catch(() => {})
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted()
    const held = await Promise.race([tryHold(connection), aborted])
    if (held instanceof pg.Client) return held
    if (held === 'refused') refusals++
    if (refusals === MOST_REFUSALS)
      throw new Error(`The data directory ${place.dataDir} is in use by another Turnout process.`)
    if (held === WRONG_PASSWORD)
      throw new Error(`The password in ${place.passwordFile} does not open the database in ${place.data}.`)
    if (held === STARTING_OR_STOPPING) deadline = Date.now() + PATIENCE_MS
    else if (held !== 'refused' && !server.isRunning()) {
      const failure = server.failure()
      const patienceMs = failure?.isKeptOut ? PATIENCE_MS : retryMs
      if (failure && Date.now() - begun >= patienceMs)
        throw new Error(`The embedded database did not start. ${failure.text}`)
      server.start()
    }
    if (Date.now() > deadline) throw new Error(`The embedded database does not answer (${held}): see ${place.log}.`)
    if (Date.now() - toldAt >= tellEveryMs) {
      toldAt = Date.now()
      const seconds = Math.round((toldAt - begun) / 1000)
      tell(`Waiting for the embedded database, for ${seconds} s so far. After a crash its recovery can take minutes.`)
    }
    await wait(pause, null, { signal })
  }
}

/** The connection that holds the lock, `refused` when another holds it, or else the error's code. */
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
