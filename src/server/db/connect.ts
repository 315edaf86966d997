import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { impatientPool } from './connections/pool.ts'
import { Pulse } from './connections/pulse.ts'
import type { Db, Schema } from './schema.ts'
import { USUAL_CONNECTIONS } from './statement.ts'

// Counts and sums come as int8; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const DAY = 24 * 60 * 60_000
/** How long PostgreSQL may work on one statement, in ms. */
const STATEMENT_MS = 4_000
/** How long we wait for its answer, in ms: a little longer, so that a live server reports its own timeout first. */
const ANSWER_MS = 4_500
/** How long a request waits for a free or new connection, in ms. */
const CONNECT_MS = 2_500

const IMPATIENT = { answerMs: ANSWER_MS, connectMs: CONNECT_MS }
const PATIENT = { answerMs: DAY, connectMs: DAY }

interface Options {
  /** Called when an idle connection breaks; without a listener the process would end. */
  onError?: (error: Error) => void
  /** For migrations: statements may take as long as they need. */
  isPatient?: boolean
  /** Whether PostgreSQL may keep hot statements prepared. */
  isNaming?: boolean
  /** How many connections it has at most. */
  connections?: number
}

/** Opens a pool. Unless `isPatient`, statements time out after a few seconds, see `impatientPool`. */
export function connect(
  config: string | pg.PoolConfig,
  { onError = () => {}, isPatient = false, isNaming = true, connections = USUAL_CONNECTIONS }: Options = {},
): Db {
  const pool = new pg.Pool({
    max: connections,
    // Removes connections that are never established; callers who wait for one give up sooner.
    connectionTimeoutMillis: 4 * CONNECT_MS,
    // Statements of one transaction that do not need each other's answers travel together.
    pipeline: true,
    // The driver remembers the name of every statement that a connection has ever prepared.
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(!isPatient && { statement_timeout: STATEMENT_MS, idle_in_transaction_session_timeout: 10_000 }),
    ...(typeof config === 'string' ? { connectionString: config } : config),
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const pulse = new Pulse()
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: impatientPool(pool, { ...(isPatient ? PATIENT : IMPATIENT), pulse, isNaming }),
    }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  pulses.set(db, pulse)
  return db
}

const pulses = new WeakMap<Db, Pulse>()

/** Whether the database answers slowly just now, or not at all. */
export function isSlow(db: Db): boolean {
  return pulses.get(db)?.isSlow() ?? false
}
