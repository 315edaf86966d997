import type { Db, EventRow } from '../db/schema.ts'

/** The event, unless it is removed. */
export async function findEvent(db: Db, id: number): Promise<EventRow | undefined> {
  return db.selectFrom('events').selectAll().where('id', '=', id).where('removedAt', 'is', null).executeTakeFirst()
}

/** The names of these events by id. */
export async function findEventNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('events').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
