import type { Db } from '../db/schema.ts'
import type { ServerSecretTable } from '../db/tables/people.ts'

/** A secret that all servers share. */
export async function findSecret(db: Db, name: ServerSecretTable['name']): Promise<string> {
  const row = await db.selectFrom('serverSecrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return row.value
}
