import type { Db } from '../db/schema.ts'

/** Removes phones that have not reported since then. */
export async function deleteSilentPhones(db: Db, since: Date): Promise<void> {
  await db.deleteFrom('doorPhones').where('reportedAt', '<', since).execute()
}
