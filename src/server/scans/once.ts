import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import { inRush } from '../db/locks.ts'
import type { Tx } from '../db/schema.ts'
import { type BoundStatement, pipeline, pipelineAndCommit, runStatement } from '../db/statement.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import * as queries from './queries.ts'

/** The outcomes of scans, and the statements that store the other changes. */
export interface Decisions<S> {
  outcomes: ReadonlyMap<S, ScanOutcome>
  changes: readonly BoundStatement<never>[]
}

interface Rules<S, Row> {
  /** The scan as it is stored under its id; null for one without an id, which is decided each time it comes. */
  toRow: (scan: S) => queries.NewScan | null
  /** Locks and reads what the decision needs, waiting only briefly; it is sent together with the insertion of the ids. */
  lock?: BoundStatement<Row>
  /** Decides all scans that have no outcome yet, by the rows that were locked. */
  decide: (scans: readonly S[], rows: readonly Row[]) => Promise<Decisions<S>>
  /** Whether the transaction ends with it: the commit is sent together with the outcomes. */
  isLast?: boolean
  /** Whether a scan is decided again although it has this outcome. */
  isDecidedAnew?: (scan: S, first: ScanOutcome) => boolean
}

/**
 * Decides scans so that each `scanId` counts once: a repeated scan gets its first outcome, even if that was a refusal. The same id for
 * another scan is refused with INVALID_INPUT. No id may appear twice in one call.
 */
export async function decideOnce<S, Row>(
  tx: Tx,
  scans: readonly S[],
  rules: Rules<S, Row>,
): Promise<(ScanOutcome | Refusal)[]> {
  const rows = new Map(scans.map((scan) => [scan, rules.toRow(scan)]))
  const withId = [...rows.values()].filter((row) => row !== null)
  const insertion = queries.scanInsertion(withId)
  const [, locked, stored] = rules.lock
    ? await pipeline(tx, [inRush(), rules.lock, insertion])
    : [[], [], await runStatement(tx, insertion)]
  const fresh = new Set(stored.map(({ scanId }) => scanId))
  const repeated = withId.flatMap(({ scanId }) => (fresh.has(scanId) ? [] : [scanId]))
  const earlier = new Map((await queries.findScans(tx, repeated)).map((row) => [row.scanId, row]))

  const firstOf = (scan: S): ScanOutcome | Refusal | null => {
    const row = rows.get(scan)
    const first = earlier.get(row?.scanId ?? '')
    if (!row || !first) return null
    const isSame = first.eventId === row.eventId && first.codeHash === row.codeHash
    if (!isSame || !first.outcome) return scanIdInUse()
    // What was taken back stays so, whatever is sent again.
    return rules.isDecidedAnew?.(scan, first.outcome) && !first.outcome.isUndone ? null : first.outcome
  }
  const answers = new Map(scans.map((scan) => [scan, firstOf(scan)]))
  const undecided = scans.filter((scan) => answers.get(scan) === null)
  const { outcomes, changes } = await rules.decide(undecided, locked)
  const toStore = [...outcomes].flatMap(([scan, outcome]): [string, ScanOutcome][] => {
    const row = rows.get(scan)
    return row ? [[row.scanId, outcome]] : []
  })
  const last = [...changes, queries.outcomesUpdate(new Map(toStore))]
  await (rules.isLast ? pipelineAndCommit(tx, last) : pipeline(tx, last))
  return scans.map((scan) => {
    const answer = answers.get(scan) ?? outcomes.get(scan)
    if (!answer) throw new Error('A scan was left without an outcome.')
    return answer
  })
}

/** The same for one scan. */
export async function decideOneOnce(
  tx: Tx,
  row: queries.NewScan | null,
  decide: () => Promise<ScanOutcome>,
): Promise<ScanOutcome> {
  const [answer] = await decideOnce(tx, [row], {
    toRow: (same) => same,
    decide: async (rows) => ({ outcomes: new Map(rows.length === 0 ? [] : [[row, await decide()]]), changes: [] }),
  })
  if (!answer || answer instanceof Refusal) throw answer ?? new Error('A scan was left without an outcome.')
  return answer
}

function scanIdInUse(): Refusal {
  return new Refusal('INVALID_INPUT', {
    fields: [{ path: 'payload.scanId', msg: texts.scanIdOfOther }],
  })
}
