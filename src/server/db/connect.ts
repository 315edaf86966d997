import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db, Schema } from './schema.ts'

// Counts and sums come as int8; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens a pool. `onError` hears of idle connections that broke; without a listener the process would end. */
export function connect(config: string | pg.PoolConfig, onError: (error: Error) => void = () => {}): Db {
  const pool = new pg.Pool({
    max: 16,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    ...(typeof config === 'string' ? { connectionString: config } : config),
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
