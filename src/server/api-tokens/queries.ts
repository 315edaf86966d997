import type { Insertable } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import type { ApiTokenTable } from '../db/tables/people.ts'

/** Somebody's tokens, the latest first; also those that expired a short time ago. */
export async function listTokens(db: Db, userId: number) {
  return db.selectFrom('apiTokens').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()
}

/** How many valid tokens somebody has. Their row must be locked. */
export async function countValidTokens(tx: Tx, userId: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('apiTokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertToken(tx: Tx, token: Insertable<ApiTokenTable>) {
  return tx.insertInto('apiTokens').values(token).returningAll().executeTakeFirstOrThrow()
}

/** Deletes one of somebody's tokens and returns its name; undefined when there is none with this id. */
export async function deleteToken(tx: Tx, userId: number, id: number): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('apiTokens')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
