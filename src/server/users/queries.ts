import { type Insertable, sql } from 'kysely'
import type { Db, Tx, UserRow, UserTable } from '../db/schema.ts'

/** Adds a user, unless the e-mail address is taken: then it answers null. */
export async function insertUser(db: Db, user: Insertable<UserTable>): Promise<UserRow | null> {
  const row = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function isAnySudo(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', 'sudo').limit(1).executeTakeFirst()
  return row !== undefined
}

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

type UserEdit = Partial<Pick<UserRow, 'fullName' | 'email' | 'image' | 'passwordHash'>>

export async function updateUser(tx: Tx, id: number, edit: UserEdit): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Removes an admin of the club and answers the row; null when there is none. The sessions go with it. */
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
