import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'

export async function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Who is signed in with this token, if it was used since `idleSince`. */
export async function findSessions(db: Db, tokenHashes: readonly string[], idleSince: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['tokenHash', 'users.id', 'users.fullName', 'users.clubId', 'sessions.lastUsedAt'])
    .where('tokenHash', 'in', tokenHashes)
    .where('lastUsedAt', '>', idleSince)
    .execute()
}

export async function findCurrentUser(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .leftJoin('clubs', 'clubs.id', 'users.clubId')
    .select(['users.id', 'role', 'fullName', 'users.email', 'image', 'clubId', 'clubs.name as clubName'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function insertSession(db: Db, tokenHash: string, userId: number, now: Date): Promise<void> {
  await db.insertInto('sessions').values({ tokenHash, userId, createdAt: now, lastUsedAt: now }).execute()
}

export async function touchSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastUsedAt: now }).where('tokenHash', '=', tokenHash).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute()
}

/** Ends all of a user's sessions, but for the one kept. */
export async function deleteSessionsOf(tx: Tx, userId: number, exceptTokenHash: string | null): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(exceptTokenHash !== null, (query) => query.where('tokenHash', '<>', exceptTokenHash ?? ''))
    .execute()
}

export async function deleteIdleSessions(db: Db, idleSince: Date): Promise<void> {
  await db.deleteFrom('sessions').where('lastUsedAt', '<=', idleSince).execute()
}

/** Keeps the hash of a link's token; an earlier link of the same person ends. */
export async function savePasswordReset(db: Db, userId: number, tokenHash: string, expiresAt: Date): Promise<void> {
  await db
    .insertInto('passwordResets')
    .values({ userId, tokenHash, expiresAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ tokenHash, expiresAt }))
    .execute()
}

export async function isPasswordReset(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('passwordResets')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredResets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passwordResets').where('expiresAt', '<=', now).execute()
}

/** A link sent earlier stops working. */
export async function deletePasswordReset(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passwordResets').where('userId', '=', userId).execute()
}

/** Takes a link's token away and answers whose it was; null when there is none, or none any more. Of many at once one gets it. */
export async function takePasswordReset(tx: Tx, tokenHash: string, now: Date): Promise<number | null> {
  const row = await tx
    .deleteFrom('passwordResets')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst()
  return row?.userId ?? null
}

/** Counts one more try under each key, starting anew where the window has passed, and answers the counts by key. */
export async function countTries(db: Db, keys: readonly string[], now: Date, windowStart: Date) {
  // In the keys' order, so that two who count the same keys never wait for each other in a circle.
  const values = [...keys].sort().map((key) => ({ key, windowStart: now, count: 1 }))
  const rows = await db
    .insertInto('signInTries')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when sign_in_tries.window_start <= ${windowStart} then 1 else sign_in_tries.count + 1 end`,
        windowStart: sql<Date>`case when sign_in_tries.window_start <= ${windowStart} then ${now} else sign_in_tries.window_start end`,
      }),
    )
    .returning(['key', 'count', 'windowStart'])
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** A try that succeeded does not count. */
export async function forgetTries(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update sign_in_tries set count = greatest(0, count - 1)
    where key in (select key from sign_in_tries where key = any(${[...keys]}) order by key for update)
  `.execute(db)
}

export async function deleteOldTries(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('signInTries').where('windowStart', '<', before).execute()
}

export async function isKnownPlace(db: Db, userId: number, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('signInPlaces')
    .select('userId')
    .where('userId', '=', userId)
    .where('addressHash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function rememberPlace(db: Db, userId: number, addressHash: string, now: Date): Promise<void> {
  await db
    .insertInto('signInPlaces')
    .values({ userId, addressHash, lastUsedAt: now })
    .onConflict((conflict) => conflict.columns(['userId', 'addressHash']).doUpdateSet({ lastUsedAt: now }))
    .execute()
}
