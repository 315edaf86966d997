import type { Db } from '../db/schema.ts'

/** The files that rows name. */
export async function listImagesInUse(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('image as file')
    .unionAll(db.selectFrom('clubs').select('logo as file'))
    .unionAll(db.selectFrom('events').select('banner as file'))
    .execute()
  return new Set(rows.map(({ file }) => file).filter((file) => file !== ''))
}
