import { sql } from 'kysely'
import type { CheckinRow, Db, ScanOutcome, ScanTable, Tx } from '../db/schema.ts'

export async function findCheckin(db: Db, registrationId: number): Promise<CheckinRow | undefined> {
  return db.selectFrom('checkins').selectAll().where('registrationId', '=', registrationId).executeTakeFirst()
}

/** Lets a registration in; null when it is in already. However many try at once, one gets the row. */
export async function checkInOnce(tx: Tx, registrationId: number, checkedInBy: string, now: Date) {
  const row = await tx
    .insertInto('checkins')
    .values({ registrationId, status: true, checkinTime: now, checkedInBy })
    .onConflict((conflict) =>
      conflict
        .column('registrationId')
        .doUpdateSet({ status: true, checkinTime: now, checkedInBy })
        .where('checkins.status', '=', false),
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Takes a check-in back; null when there is none. */
export async function undoCheckin(tx: Tx, registrationId: number): Promise<CheckinRow | null> {
  const row = await tx
    .updateTable('checkins')
    .set({ status: false, checkinTime: null, checkedInBy: null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', true)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Notes that this scan has come; false when it had come before. Waits while another transaction decides the same scan. */
export async function insertScan(tx: Tx, scan: Omit<ScanTable, 'outcome'>): Promise<boolean> {
  const row = await tx
    .insertInto('scans')
    .values({ ...scan, outcome: null })
    .onConflict((conflict) => conflict.column('scanId').doNothing())
    .returning('scanId')
    .executeTakeFirst()
  return row !== undefined
}

export async function findScan(tx: Tx, scanId: string) {
  return tx.selectFrom('scans').selectAll().where('scanId', '=', scanId).executeTakeFirstOrThrow()
}

export async function updateScanOutcome(tx: Tx, scanId: string, outcome: ScanOutcome): Promise<void> {
  await tx
    .updateTable('scans')
    .set({ outcome: sql<string>`${JSON.stringify(outcome)}::jsonb` })
    .where('scanId', '=', scanId)
    .execute()
}
