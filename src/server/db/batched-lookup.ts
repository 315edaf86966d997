import { describeError, isUnavailable } from '../describe-error.ts'
import { batch } from './batch.ts'
import type { Db } from './schema.ts'

/**
 * Makes a look-up in which callers of the same moment share a query, and callers with the same key the same row. It is always fresh: the
 * query is sent after all of them have asked.
 */
export function batchedLookup<K extends string | number, V>(
  find: (db: Db, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (db: Db, key: K) => Promise<V | undefined> {
  const asks = new WeakMap<Db, (key: K) => Promise<{ found: V | undefined }>>()

  function make(db: Db) {
    const ask = batch<K, { found: V | undefined }>(
      async (keys) => {
        const rows = await find(db, [...new Set(keys)])
        return keys.map((key) => ({ found: rows.get(key) }))
      },
      // A row that cannot be read fails only the callers that need it.
      { most: 256, atOnce: 2, isWorthSplitting: (error) => !isDown(error) },
    )
    asks.set(db, ask)
    return ask
  }

  return async (db, key) => {
    const { found } = await (asks.get(db) ?? make(db))(key)
    return found
  }
}

function isDown(error: unknown): boolean {
  const { code, message } = describeError(error)
  return isUnavailable(code, message)
}

/** Rows in groups, by a key of each. */
export function grouped<K, Row>(rows: readonly Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** Rows by their ids. */
export function byId<Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
