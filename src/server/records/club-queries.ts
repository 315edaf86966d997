import type { ClubRow, Db, Tx } from '../db/schema.ts'

/** The club, unless it is removed. */
export async function findClub(db: Db, id: number): Promise<ClubRow | undefined> {
  return db.selectFrom('clubs').selectAll().where('id', '=', id).where('removedAt', 'is', null).executeTakeFirst()
}

/** Whether the club is there; it cannot be removed before the transaction ends. */
export async function holdClub(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('clubs')
    .select('id')
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** The club's row, locked until the transaction ends. */
export async function lockClub(tx: Tx, id: number): Promise<ClubRow | undefined> {
  return tx
    .selectFrom('clubs')
    .selectAll()
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
