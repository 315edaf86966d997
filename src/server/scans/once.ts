import { Refusal } from '../../contract/errors.ts'
import type { Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import * as queries from './queries.ts'

interface Rules<S> {
  /** The scan as it is stored under its id; null for one without an id, which is decided each time it comes. */
  toRow: (scan: S) => queries.NewScan | null
  /** Decides all scans that have no outcome yet. */
  decide: (scans: readonly S[]) => Promise<ReadonlyMap<S, ScanOutcome>>
  /** Whether a scan is decided anew although it has this outcome. */
  isDecidedAnew?: (scan: S, first: ScanOutcome) => boolean
}

/**
 * Decides scans so that each `scanId` counts once: a scan that comes again gets its first outcome, also when that was a refusal.
 * The same id for another scan is refused with INVALID_INPUT. No id may stand twice in one call.
 */
export async function decideOnce<S>(tx: Tx, scans: readonly S[], rules: Rules<S>): Promise<(ScanOutcome | Refusal)[]> {
  const rows = new Map(scans.map((scan) => [scan, rules.toRow(scan)]))
  const withId = [...rows.values()].filter((row) => row !== null)
  const fresh = await queries.insertScans(tx, withId)
  const repeated = withId.flatMap(({ scanId }) => (fresh.has(scanId) ? [] : [scanId]))
  const earlier = new Map((await queries.findScans(tx, repeated)).map((row) => [row.scanId, row]))

  const firstOf = (scan: S): ScanOutcome | Refusal | null => {
    const row = rows.get(scan)
    const first = earlier.get(row?.scanId ?? '')
    if (!row || !first) return null
    const isSame = first.eventId === row.eventId && first.codeHash === row.codeHash
    if (!isSame || !first.outcome) return scanIdInUse()
    return rules.isDecidedAnew?.(scan, first.outcome) ? null : first.outcome
  }
  const answers = new Map(scans.map((scan) => [scan, firstOf(scan)]))
  const decided = await rules.decide(scans.filter((scan) => answers.get(scan) === null))
  const toStore = [...decided].flatMap(([scan, outcome]): [string, ScanOutcome][] => {
    const row = rows.get(scan)
    return row ? [[row.scanId, outcome]] : []
  })
  await queries.updateScanOutcomes(tx, new Map(toStore))
  return scans.map((scan) => {
    const answer = answers.get(scan) ?? decided.get(scan)
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
    decide: async (rows) => new Map(rows.length === 0 ? [] : [[row, await decide()]]),
  })
  if (!answer || answer instanceof Refusal) throw answer ?? new Error('A scan was left without an outcome.')
  return answer
}

function scanIdInUse(): Refusal {
  return new Refusal('INVALID_INPUT', {
    fields: [{ path: 'payload.scanId', msg: 'This scanId belongs to another scan.' }],
  })
}
