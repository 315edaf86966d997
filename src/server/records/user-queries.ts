import type { Insertable } from 'kysely'
import type { Db, Tx, UserRow } from '../db/schema.ts'
import type { UserTable } from '../db/tables/people.ts'

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds a user; null when the e-mail address is taken. */
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

type UserEdit = Partial<Pick<UserRow, 'fullName' | 'email' | 'image' | 'language' | 'passwordHash'>>

export async function updateUser(tx: Tx, id: number, edit: UserEdit): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
