import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Whether PostgreSQL knows this time zone. Its table of them may differ from Node's. Not for use in a transaction. */
export async function isDatabaseZone(db: Db, name: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${name}`.execute(db)
    return true
  } catch (error) {
    // invalid_parameter_value: the zone is not known.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === '22023') return false
    throw error
  }
}
