import { isDue } from '../../db/is-due.ts'
import type { Db } from '../../db/schema.ts'

/** No backup is due later than this after the one before. */
const LONGEST_MS = 2 * 24 * 60 * 60_000

/** Takes the turn to make the backup that is due, until `lostAt`; of many servers one gets it. False when none is due. */
export async function takeTurn(db: Db, now: Date, lostAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backupState')
    .set({ nextAt: lostAt })
    .where(isDue('next_at', now, LONGEST_MS))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

interface Good {
  goodAt: Date
  file: string
  bytes: number
  checked: 'restored' | 'read'
  nextAt: Date
}

export async function storeGood(db: Db, good: Good): Promise<void> {
  await db
    .updateTable('backupState')
    .set({ ...good, error: null })
    .execute()
}

export async function storeFailure(db: Db, error: string | null, nextAt: Date): Promise<void> {
  await db.updateTable('backupState').set({ error, nextAt }).execute()
}

/** What became of the nightly backups. */
export function findBackupState(db: Db) {
  return db
    .selectFrom('backupState')
    .select(['since', 'goodAt', 'file', 'bytes', 'checked', 'error'])
    .executeTakeFirstOrThrow()
}
