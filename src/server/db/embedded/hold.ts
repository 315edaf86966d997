import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Place } from './directory.ts'
import type { PostgresServer } from './server.ts'

const OWNER_LOCK = 4_851_903
/** How long a server that does not answer is waited for, in ms. */
export const PATIENCE_MS = 30_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
/** This many refusals are final: the server needs a moment to notice that a killed process is gone. */
const MOST_REFUSALS = 4
// PostgreSQL's error codes.
const WRONG_PASSWORD = '28P01'
const STARTING_OR_STOPPING = '57P03'

export interface Holding {
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
export async function holdDirectory(holding: Holding): Promise<pg.Client> {
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
