import type { Db, Tx } from '../db/schema.ts'

/** Somebody's passkeys, the latest first. */
export async function listPasskeys(db: Db, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'browser', 'system', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** The names by which devices know somebody's passkeys. */
export async function listCredentialIds(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectFrom('passkeys').select('credentialId').where('userId', '=', userId).execute()
  return rows.map(({ credentialId }) => credentialId)
}

export async function findPasskey(db: Db, credentialId: string) {
  return db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()
}

interface NewPasskeyRow {
  userId: number
  credentialId: string
  publicKey: Buffer
  counter: number
  browser: string
  system: string
}

/** Adds a passkey; false when it is there already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskeyRow, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('passkeys')
    .values({ ...passkey, createdAt: now, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that a passkey was used; false when it was removed meanwhile, or when its device has not counted up. */
export async function touchPasskey(
  db: Db,
  { id, counter }: { id: number; counter: number },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.lit(counter === 0)])]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes one of somebody's passkeys; false when they have none with this id. */
export async function deletePasskey(tx: Tx, userId: number, id: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes all of somebody's passkeys; false when they have none. */
export async function deletePasskeys(tx: Tx, userId: number): Promise<boolean> {
  const rows = await tx.deleteFrom('passkeys').where('userId', '=', userId).returning('id').execute()
  return rows.length > 0
}

interface Challenge {
  challengeHash: string
  /** Who adds a passkey; null for using one. */
  userId: number | null
}

export async function insertChallenge(db: Db, challenge: Challenge, expiresAt: Date): Promise<void> {
  await db
    .insertInto('passkeyChallenges')
    .values({ ...challenge, expiresAt })
    .execute()
}

/** Uses up a challenge; false for an unknown one, one that has expired, and one that was made for something else. */
export async function takeChallenge(db: Db, { challengeHash, userId }: Challenge, now: Date): Promise<boolean> {
  const row = await db
    .deleteFrom('passkeyChallenges')
    .where('challengeHash', '=', challengeHash)
    .where('userId', 'is not distinct from', userId)
    .returning('expiresAt')
    .executeTakeFirst()
  return row !== undefined && row.expiresAt > now
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute()
}
