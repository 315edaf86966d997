import { sql } from 'kysely'
import type { Db, Tx, UserRow } from '../db/schema.ts'

/** The user's row, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const row = await tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? null
}

/** Whether another user than `exceptId` signs in with this address. */
export async function isEmailTaken(tx: Tx, email: string, exceptId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes an admin of the club and returns the row; null when there is none. The sessions go with it. */
export async function deleteAdmin(tx: Tx, id: number, clubId: number): Promise<UserRow | null> {
  const row = await tx
    .deleteFrom('users')
    .where('id', '=', id)
    .where('clubId', '=', clubId)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function listAdmins(db: Db, clubId: number): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('clubId', '=', clubId).orderBy('id').execute()
}
