import { sql } from 'kysely'
import type { Tx } from './schema.ts'

/** Far longer than anything of ours holds an event's row, also on a busy machine. */
const BRIEFLY_MS = 1_000

/**
 * Has this transaction wait for each lock only briefly; then it fails (`isLocked`). For runs that are joined: one that waits keeps a
 * connection, and other events must not wait for it.
 */
export async function waitBriefly(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${BRIEFLY_MS}ms`}, true)`.execute(tx)
}
