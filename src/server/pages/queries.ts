import type { Db, Tx } from '../db/schema.ts'

export async function findPage(db: Db, type: string) {
  return db.selectFrom('pages').selectAll().where('type', '=', type).executeTakeFirst()
}

export async function savePage(tx: Tx, page: { type: string; body: string; updatedAt: Date }): Promise<void> {
  const { body, updatedAt } = page
  await tx
    .insertInto('pages')
    .values(page)
    .onConflict((conflict) => conflict.column('type').doUpdateSet({ body, updatedAt }))
    .execute()
}

export async function deletePage(tx: Tx, type: string): Promise<void> {
  await tx.deleteFrom('pages').where('type', '=', type).execute()
}
