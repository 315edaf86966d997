import { sql } from 'kysely'
import type { CheckinRow, Db } from '../db/schema.ts'

export async function findCheckin(db: Db, registrationId: number): Promise<CheckinRow | undefined> {
  return (await findCheckins(db, [registrationId]))[0]
}

export async function findCheckins(db: Db, registrationIds: readonly number[]): Promise<CheckinRow[]> {
  if (registrationIds.length === 0) return []
  return db
    .selectFrom('checkins')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .execute()
}
