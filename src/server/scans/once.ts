import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import { inRush } from '../db/locks.ts'
import type { Tx } from '../db/schema.ts'
import { type BoundStatement, pipeline, pipelineAndCommit, runStatement } from '../db/statement.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import * as queries from './queries.ts'

/** The outcomes of scans, and the statements that store the other changes. A scan that is refused is not stored: sent again, it is decided anew. */
export interface Decisions<S> {
  outcomes: ReadonlyMap<S, ScanOutcome>
  refused?: ReadonlyMap<S, Refusal>
  changes: readonly BoundStatement<never>[]
}

/** Whether a scan is decided again although it has this outcome. */
type IsDecidedAnew<S> = (scan: S, first: ScanOutcome) => boolean

interface Rules<S, Row> {
  /** The scan as it is stored under its id; null for one without an id, which is decided each time it comes. */
  toRow: (scan: S) => queries.NewScan | null
  /** Locks and reads what the decision needs, waiting only briefly; it is sent together with the search for earlier scans. */
  lock: BoundStatement<Row>
  /** Decides all scans that have no outcome yet, by the rows that were locked. */
  decide: (scans: readonly S[], rows: readonly Row[]) => Promise<Decisions<S>>
  /** Whether the transaction ends with it: the commit is sent together with the outcomes. */
  isLast: boolean
  isDecidedAnew: IsDecidedAnew<S>
}

/**
 * Decides scans so that each `scanId` counts once: a repeated scan gets its first outcome, even if that was a refusal. The same id for
 * another scan is refused with INVALID_INPUT. No id may appear twice in one call. Fails when another transaction has decided one of
 * them meanwhile (`isScanTaken`); tried again, it finds that outcome.
 */
export async function decideOnce<S, Row>(
  tx: Tx,
  scans: readonly S[],
  { toRow, lock, decide, isLast, isDecidedAnew }: Rules<S, Row>,
): Promise<(ScanOutcome | Refusal)[]> {
  const rows = new Map(scans.map((scan) => [scan, toRow(scan)]))
  const ids = [...rows.values()].flatMap((row) => row?.scanId ?? [])
  const [, locked, found] = await pipeline(tx, [inRush(), lock, queries.scanSearch(ids)])
  const earlier = new Map(found.map((row) => [row.scanId, row]))
  const earlierOf = (scan: S) => earlier.get(rows.get(scan)?.scanId ?? '')
  const answers = new Map(
    scans.map((scan) => [scan, firstOutcome(rows.get(scan), earlierOf(scan), (first) => isDecidedAnew(scan, first))]),
  )
  const undecided = scans.filter((scan) => answers.get(scan) === null)
  const { outcomes, refused, changes } = await decide(undecided, locked)
  const toStore = [...outcomes].flatMap(([scan, outcome]) => {
    const row = rows.get(scan)
    return row ? [{ row, outcome }] : []
  })
  const anew = toStore.filter(({ row }) => earlier.has(row.scanId))
  const last = [
    ...changes,
    queries.scanInsertion(toStore.filter(({ row }) => !earlier.has(row.scanId))),
    ...(anew.length > 0
      ? [queries.outcomesUpdate(new Map(anew.map(({ row, outcome }) => [row.scanId, outcome])))]
      : []),
  ]
  await (isLast ? pipelineAndCommit(tx, last) : pipeline(tx, last))
  return scans.map((scan) => {
    const answer = answers.get(scan) ?? outcomes.get(scan) ?? refused?.get(scan)
    if (!answer) throw new Error('A scan was left without an outcome.')
    return answer
  })
}

/** The same for one scan, whose transaction is not tried again for `isScanTaken`: a second one waits for the first. Refuses with INVALID_INPUT. */
export async function decideOneOnce(
  tx: Tx,
  row: queries.NewScan | null,
  decide: () => Promise<ScanOutcome>,
  isDecidedAnew: (first: ScanOutcome) => boolean = () => false,
): Promise<ScanOutcome> {
  if (!row) return decide()
  if (!(await queries.insertScan(tx, row))) {
    const [earlier] = await runStatement(tx, queries.scanSearch([row.scanId]))
    const first = firstOutcome(row, earlier, isDecidedAnew)
    if (first instanceof Refusal) throw first
    if (first) return first
  }
  const outcome = await decide()
  await runStatement(tx, queries.outcomesUpdate(new Map([[row.scanId, outcome]])))
  return outcome
}

/** The outcome of a scan that came before; null for one that is to be decided. */
function firstOutcome(
  row: queries.NewScan | null | undefined,
  earlier: queries.StoredScan | undefined,
  isDecidedAnew: (first: ScanOutcome) => boolean,
): ScanOutcome | Refusal | null {
  if (!row || !earlier) return null
  const isSame = earlier.eventId === row.eventId && earlier.codeHash === row.codeHash
  if (!isSame || !earlier.outcome) return scanIdInUse()
  // What was taken back stays so, whatever is sent again.
  return isDecidedAnew(earlier.outcome) && !earlier.outcome.isUndone ? null : earlier.outcome
}

function scanIdInUse(): Refusal {
  return new Refusal('INVALID_INPUT', {
    fields: [{ path: 'payload.scanId', msg: texts.scanIdOfOther }],
  })
}
