import { type Selectable, sql } from 'kysely'
import { isEventThere } from '../db/event-there.ts'
import type { CheckinRow, Db, RegistrationRow, ScanConflictRow, ScanOutcome, ScanTable, Tx } from '../db/schema.ts'

export async function findCheckin(db: Db, registrationId: number): Promise<CheckinRow | undefined> {
  return (await findCheckins(db, [registrationId]))[0]
}

export async function findCheckins(db: Db, registrationIds: readonly number[]): Promise<CheckinRow[]> {
  if (registrationIds.length === 0) return []
  return db
    .selectFrom('checkins')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .execute()
}

/** Somebody about to be let in. */
export interface Admission {
  registrationId: number
  checkedInBy: string
  at: Date
  device: string | null
}

/**
 * Lets registrations in and answers the check-ins made; of those that are in already there is none. However many try at once,
 * one gets the row. In the order of their ids, so that two statements never wait for each other in a circle.
 */
export async function checkInOnce(tx: Tx, admissions: readonly Admission[]): Promise<CheckinRow[]> {
  if (admissions.length === 0) return []
  const rows = [...admissions].sort((a, b) => a.registrationId - b.registrationId)
  return tx
    .insertInto('checkins')
    .values(rows.map(({ at, ...row }) => ({ ...row, status: true, checkinTime: at })))
    .onConflict((conflict) =>
      conflict
        .column('registrationId')
        .doUpdateSet((eb) => ({
          status: true,
          checkinTime: eb.ref('excluded.checkinTime'),
          checkedInBy: eb.ref('excluded.checkedInBy'),
          device: eb.ref('excluded.device'),
        }))
        .where('checkins.status', '=', false),
    )
    .returningAll()
    .execute()
}

/** Takes a check-in back; null when there is none. */
export async function undoCheckin(tx: Tx, registrationId: number): Promise<CheckinRow | null> {
  const row = await tx
    .updateTable('checkins')
    .set({ status: false, checkinTime: null, checkedInBy: null, device: null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', true)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Notes that these scans have come and answers the ids of those that had not come before. Waits while another transaction
 * decides one of them; in the order of their ids, for the same reason as above.
 */
export async function insertScans(tx: Tx, scans: readonly Omit<ScanTable, 'outcome'>[]): Promise<Set<string>> {
  if (scans.length === 0) return new Set()
  const rows = await tx
    .insertInto('scans')
    .values([...scans].sort((a, b) => (a.scanId < b.scanId ? -1 : 1)).map((scan) => ({ ...scan, outcome: null })))
    .onConflict((conflict) => conflict.column('scanId').doNothing())
    .returning('scanId')
    .execute()
  return new Set(rows.map(({ scanId }) => scanId))
}

export async function findScans(tx: Tx, scanIds: readonly string[]): Promise<Selectable<ScanTable>[]> {
  if (scanIds.length === 0) return []
  return tx.selectFrom('scans').selectAll().where('scanId', 'in', scanIds).execute()
}

/** A scan of this event, locked: of two that take it back one comes first. */
export async function lockScan(tx: Tx, eventId: number, scanId: string) {
  return tx
    .selectFrom('scans')
    .selectAll()
    .where('scanId', '=', scanId)
    .where('eventId', '=', eventId)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateScanOutcomes(tx: Tx, outcomes: ReadonlyMap<string, ScanOutcome>): Promise<void> {
  if (outcomes.size === 0) return
  const texts = [...outcomes.values()].map((outcome) => JSON.stringify(outcome))
  await sql`
    update scans set outcome = decided.outcome
    from unnest(${[...outcomes.keys()]}::uuid[], ${texts}::jsonb[]) as decided (scan_id, outcome)
    where scans.scan_id = decided.scan_id
  `.execute(tx)
}

/** Tickets by id, locked until the transaction ends. Whose they are is for the caller to look at. */
export async function lockTickets(tx: Tx, ids: readonly number[]): Promise<RegistrationRow[]> {
  if (ids.length === 0) return []
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(isEventThere)
    .orderBy('id')
    .forShare()
    .execute()
}

/** Notes conflicts; one that is noted already stays as it is. Answers the scans of those that are new. */
export async function insertConflicts(tx: Tx, conflicts: readonly Omit<ScanConflictRow, 'seenAt' | 'seenBy'>[]) {
  if (conflicts.length === 0) return []
  return tx
    .insertInto('scanConflicts')
    .values(conflicts.map((conflict) => ({ ...conflict, seenAt: null, seenBy: null })))
    .onConflict((same) => same.column('scanId').doNothing())
    .returningAll()
    .execute()
}

/** Notes who has looked into conflicts of this event. */
export async function seeConflicts(tx: Tx | Db, eventId: number, scanIds: readonly string[], by: string, now: Date) {
  await tx
    .updateTable('scanConflicts')
    .set({ seenAt: now, seenBy: by })
    .where('eventId', '=', eventId)
    .where('scanId', 'in', scanIds)
    .where('seenAt', 'is', null)
    .execute()
}
