import { type Insertable, sql } from 'kysely'
import type { TeamRole } from '../../contract/permissions.ts'
import type { Db, Tx, UserRow } from '../db/schema.ts'
import type { UserTable } from '../db/tables/people.ts'

/** A user with an account; none for a helper pass, as in the next one. */
export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).where('passMay', 'is', null).executeTakeFirst()
}

/** The user's row, locked until the transaction ends. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const person = tx.selectFrom('users').selectAll().where('id', '=', id).where('passMay', 'is', null)
  return (await person.forUpdate().executeTakeFirst()) ?? null
}

/** An expired invitation does not keep an address. */
export async function freeExpired(db: Db, email: string, now: Date): Promise<void> {
  await db
    .deleteFrom('users')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('invitedUntil', '<', now)
    .execute()
}

/** Adds a user; null when the e-mail address is taken. */
export async function insertUser(db: Db, user: Insertable<UserTable> & { createdAt: Date }): Promise<UserRow | null> {
  await freeExpired(db, user.email, user.createdAt)
  const row = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Whether another user than `exceptId` signs in with this address, or is invited and can still accept. */
export async function isEmailTaken(tx: Tx, email: string, exceptId: number, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('id', '<>', exceptId)
    .where((eb) => eb.or([eb('invitedUntil', 'is', null), eb('invitedUntil', '>=', now)]))
    .executeTakeFirst()
  return row !== undefined
}

export async function isAnySudo(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', 'sudo').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Deletes invitations that expired before this time. */
export async function deleteOldInvitations(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('users').where('invitedUntil', '<', before).execute()
}

type UserEdit = Partial<
  Pick<UserRow, 'fullName' | 'email' | 'image' | 'language' | 'passwordHash' | 'eventIds' | 'invitedUntil'>
> & {
  teamRole?: TeamRole
}

export async function updateUser(tx: Tx, id: number, edit: UserEdit): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
