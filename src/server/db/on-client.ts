import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db, Schema } from './schema.ts'

/** How the database is reached. */
export type Address = string | pg.ClientConfig
/** One connection, outside of the pool. */
export type OneConnection = pg.Client

/**
 * Does work on one connection of its own, with as much time as it needs, and closes it, at once when `signal` says so. What is not committed
 * then is undone.
 */
export async function withClient<T>(
  address: Address,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  const client = new pg.Client({
    ...(typeof address === 'string' ? { connectionString: address } : address),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A lost connection fails the statement under way; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  const stop = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.end().catch(() => {})
  }
}

/** Queries over this one connection, in its transaction. */
export function onClient(client: pg.Client): Db {
  const held = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => held, end: async () => {} }
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** The same server with another database. */
export function inDatabase(address: Address, database: string): Address {
  if (typeof address !== 'string') return { ...address, database }
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}
