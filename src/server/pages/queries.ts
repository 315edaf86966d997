import type { Db, Tx } from '../db/schema.ts'

export async function findPage(db: Db, type: string) {
  return db.selectFrom('pages').selectAll().where('type', '=', type).executeTakeFirst()
}

export async function savePage(
  tx: Tx,
  page: { type: string; body: string; bodyHtml: string; updatedAt: Date },
): Promise<void> {
  const { body, bodyHtml, updatedAt } = page
  await tx
    .insertInto('pages')
    .values(page)
    .onConflict((conflict) => conflict.column('type').doUpdateSet({ body, bodyHtml, updatedAt }))
    .execute()
}

/** Stores the HTML of a page's text, unless it has another one by now. */
export async function storePageHtml(db: Db, type: string, body: string, bodyHtml: string): Promise<void> {
  await db.updateTable('pages').set({ bodyHtml }).where('type', '=', type).where('body', '=', body).execute()
}

export async function deletePage(tx: Tx, type: string): Promise<void> {
  await tx.deleteFrom('pages').where('type', '=', type).execute()
}
