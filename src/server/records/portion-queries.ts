import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/schema.ts'

const PORTION = 10_000

/** Deletes the rows of a table to which this applies; in portions, since there may be more than one statement can delete in its time. Returns how many. */
export async function deletePortions(
  db: Db,
  table: string,
  which: RawBuilder<unknown>,
  portion = PORTION,
): Promise<number> {
  let total = 0
  for (let deleted = portion; deleted >= portion; total += deleted) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${which} limit ${portion}))
    `.execute(db)
    deleted = Number(numAffectedRows ?? 0)
  }
  return total
}
