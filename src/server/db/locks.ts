import type { Tx } from './schema.ts'
import { runStatement, statement } from './statement.ts'

/** Far longer than anything of ours holds an event's row, also on a busy machine. */
const BRIEFLY_MS = 1_000

const waitingBriefly = statement('wait briefly', "select set_config('lock_timeout', $1, true)")

/**
 * Makes this transaction wait for each lock only briefly; then it fails (`isLocked`). For batched runs: one that waits keeps a connection,
 * and other events must not wait for it.
 */
export async function waitBriefly(tx: Tx): Promise<void> {
  await runStatement(tx, waitingBriefly(`${BRIEFLY_MS}ms`))
}

const rushing = statement(
  'rush',
  `select set_config('lock_timeout', $1, true), set_config('enable_seqscan', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true)`,
)

/**
 * The statement with which a batched run begins, to be sent in its pipeline. Besides waiting briefly it uses indexes only, because its
 * statements are kept prepared: a plan made for an empty table, where reading all of it is cheapest, would become slower with every row.
 * It forces generic plans: for a run of one request PostgreSQL would plan each statement anew, which takes a tenth of the time of a
 * registration. So a statement in a run must write the condition of a partial index as a literal, not as a parameter.
 */
export const inRush = () => rushing(`${BRIEFLY_MS}ms`)
