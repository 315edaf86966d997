import { type Insertable, type Selectable, sql } from 'kysely'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db, Tx } from '../db/schema.ts'
import { statement } from '../db/statement.ts'
import type { ScanConflictTable, ScanOutcome, ScanTable } from '../db/tables/door.ts'
import { isConflict } from '../db/violations.ts'

/** A scan with an id, without its outcome. */
export type NewScan = Omit<ScanTable, 'outcome'>
export type StoredScan = Selectable<ScanTable>

const insertion = statement<never>(
  'insert decided scans',
  `
  insert into scans (scan_id, event_id, code_hash, scanned_at, received_at, outcome)
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::jsonb[]) as t (scan_id) order by scan_id
  `,
)

/**
 * The statement that stores scans with their outcomes. It waits while another transaction decides one of them, and fails if that has stored
 * it (`isScanTaken`); ordered by id, so that two statements never deadlock.
 */
export function scanInsertion(decided: readonly { row: NewScan; outcome: ScanOutcome }[]) {
  return insertion(
    decided.map(({ row }) => row.scanId),
    decided.map(({ row }) => row.eventId),
    decided.map(({ row }) => row.codeHash),
    decided.map(({ row }) => row.scannedAt),
    decided.map(({ row }) => row.receivedAt),
    decided.map(({ outcome }) => JSON.stringify(outcome)),
  )
}

/** Whether a scan was stored by another transaction meanwhile, so that it has an outcome already. */
export function isScanTaken(error: unknown): boolean {
  return isConflict(error, 'scans_pkey')
}

/** Stores a scan before it is decided; false when it had come before. It waits while another transaction decides it. */
export async function insertScan(tx: Tx, scan: NewScan): Promise<boolean> {
  const stored = await tx
    .insertInto('scans')
    .values(scan)
    .onConflict((same) => same.column('scanId').doNothing())
    .returning('scanId')
    .executeTakeFirst()
  return stored !== undefined
}

const search = statement<StoredScan>('find scans', 'select * from scans where scan_id = any($1::uuid[])')

/** The statement that finds scans by their ids. */
export function scanSearch(scanIds: readonly string[]) {
  return search(scanIds)
}

/** A scan of this event, locked: two calls that undo it do so one after the other. */
export async function lockScan(tx: Tx, eventId: number, scanId: string) {
  return tx
    .selectFrom('scans')
    .selectAll()
    .where('scanId', '=', scanId)
    .where(hidden('event_id'), '=', eventId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Whether undoing a scan of this event may release places: money was taken with it, or its registration was made with it, or may be made
 * from its conflict. Also for one that is not there yet: it may be being decided at this moment.
 */
export async function mayReleasePlaces(tx: Tx, eventId: number, scanId: string): Promise<boolean> {
  const { rows } = await sql<{ mayRelease: boolean }>`
    select outcome ?| array['paymentId', 'isAdded'] or exists (
      select from scan_conflicts c where c.scan_id = s.scan_id and c.walk_in is not null
    ) as may_release from scans s where scan_id = ${scanId} and ${hidden('s.event_id')} = ${eventId}
  `.execute(tx)
  return rows[0]?.mayRelease ?? true
}

const outcomeUpdate = statement<never>(
  'update outcomes of scans',
  `
  update scans set outcome = decided.outcome from unnest($1::uuid[], $2::jsonb[]) as decided (scan_id, outcome)
  where scans.scan_id = decided.scan_id
  `,
)

/** The statement that stores the outcomes of scans. */
export function outcomesUpdate(outcomes: ReadonlyMap<string, ScanOutcome>) {
  return outcomeUpdate(
    [...outcomes.keys()],
    [...outcomes.values()].map((outcome) => JSON.stringify(outcome)),
  )
}

/**
 * Stores conflicts; one that is stored already stays as it is. Returns the new ones. They are stored in the order of their ids, so that two
 * servers that store the same ones do not deadlock.
 */
export async function insertConflicts(
  tx: Tx,
  conflicts: readonly Omit<Insertable<ScanConflictTable>, 'seenAt' | 'seenBy'>[],
) {
  if (conflicts.length === 0) return []
  const sorted = [...conflicts].sort((a, b) => (a.scanId < b.scanId ? -1 : 1))
  return tx
    .insertInto('scanConflicts')
    .values(sorted.map((conflict) => ({ ...conflict, seenAt: null, seenBy: null })))
    .onConflict((same) => same.column('scanId').doNothing())
    .returningAll()
    .execute()
}

/** Stores who has looked into conflicts of this event. */
export async function updateConflictsSeen(db: Db, eventId: number, scanIds: readonly string[], by: string, now: Date) {
  await db
    .updateTable('scanConflicts')
    .set({ seenAt: now, seenBy: by })
    .where(hidden('event_id'), '=', eventId)
    .where('scanId', 'in', scanIds)
    .where('seenAt', 'is', null)
    .execute()
}

/** Stores that what led to a conflict was taken back, and by whom, whoever had looked into it before. */
export async function updateConflictTakenBack(tx: Tx, eventId: number, scanId: string, by: string, now: Date) {
  await tx
    .updateTable('scanConflicts')
    .set({ seenAt: now, seenBy: by, isTakenBack: true })
    .where(hidden('event_id'), '=', eventId)
    .where('scanId', '=', scanId)
    .execute()
}

/** A conflict of this event, locked. */
export async function lockConflict(tx: Tx, eventId: number, scanId: string) {
  return tx
    .selectFrom('scanConflicts')
    .selectAll()
    .where('scanId', '=', scanId)
    .where(hidden('event_id'), '=', eventId)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores the registration that somebody got after all; what was noted of them is kept there alone. */
export async function updateConflictTicket(tx: Tx, scanId: string, ticketId: number): Promise<void> {
  await tx
    .updateTable('scanConflicts')
    .set({ ticketId, isTakenBack: false, walkIn: JSON.stringify({ name: '', email: '', phone: '' }) })
    .where('scanId', '=', scanId)
    .execute()
}

export async function countUnseenConflicts(db: Db, { id }: OwnEvent): Promise<number> {
  const { count } = await db
    .selectFrom('scanConflicts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', id)
    .where('seenAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** An event's conflicts, latest first, with the names of those whose registration is still there. */
export async function findConflicts(db: Db, { id }: OwnEvent) {
  return (
    db
      .selectFrom('scanConflicts')
      // Of this event: what a phone sent may be any number.
      .leftJoin('registrations', (join) =>
        join.onRef('registrations.id', '=', 'scanConflicts.ticketId').on(hidden('registrations.event_id'), '=', id),
      )
      .selectAll('scanConflicts')
      .select('registrations.name')
      .where('scanConflicts.eventId', '=', id)
      .orderBy('notedAt', 'desc')
      .orderBy('scanConflicts.scanId')
      .execute()
  )
}
