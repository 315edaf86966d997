import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isDue } from '../../db/is-due.ts'
import type { Db } from '../../db/schema.ts'

/** No backup is due later than this after the one before. */
const LONGEST_MS = 2 * 24 * 60 * 60_000

/** Takes the turn to make the backup that is due, until `lostAt`; of many servers one gets it. Null when none is due. */
export async function takeTurn(db: Db, now: Date, lostAt: Date): Promise<string | null> {
  const turn = randomUUID()
  const { numUpdatedRows } = await db
    .updateTable('backupState')
    .set({ nextAt: lostAt, turn })
    .where(isDue('next_at', now, LONGEST_MS))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? turn : null
}

/** Keeps the turn until `lostAt`. False when another server has taken it. */
export async function keepTurn(db: Db, turn: string, lostAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backupState')
    .set({ nextAt: lostAt })
    .where('turn', '=', turn)
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

/** Stores a good backup and ends its turn; false when another server has taken that. */
export async function storeGood(db: Db, turn: string, good: Good): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backupState')
    .set({ ...good, error: null, turn: null })
    .where('turn', '=', turn)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Stores why a backup failed and ends its turn, unless another server has taken that. */
export async function storeFailure(db: Db, turn: string, error: string | null, nextAt: Date): Promise<void> {
  await db.updateTable('backupState').set({ error, nextAt, turn: null }).where('turn', '=', turn).execute()
}

/** Notes that a backup goes to object storage, before it does. */
export async function addStored(db: Db, name: string): Promise<void> {
  await db
    .updateTable('backupState')
    .set({ stored: sql<string[]>`array_append(stored, ${name})` })
    .where('stored', 'is not', null)
    .execute()
}

/** The backups that this database has kept in object storage; null when it has not noted them yet. */
export async function findStored(db: Db): Promise<string[] | null> {
  const { stored } = await db.selectFrom('backupState').select('stored').executeTakeFirstOrThrow()
  return stored
}

export async function storeStored(db: Db, stored: string[]): Promise<void> {
  await db.updateTable('backupState').set({ stored }).execute()
}

/** What became of the nightly backups. */
export function findBackupState(db: Db) {
  return db
    .selectFrom('backupState')
    .select(['since', 'goodAt', 'file', 'bytes', 'checked', 'error'])
    .executeTakeFirstOrThrow()
}
