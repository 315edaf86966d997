import type { Db } from '../db/schema.ts'

/** Who is signed in with this token, if it was used since `idleSince`. */
export async function findSessions(db: Db, tokenHashes: readonly string[], idleSince: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('clubs', 'clubs.id', 'users.clubId')
    .where('clubs.removedAt', 'is', null)
    .select(['tokenHash', 'users.id', 'users.fullName', 'users.clubId', 'sessions.lastUsedAt'])
    .where('tokenHash', 'in', tokenHashes)
    .where('lastUsedAt', '>', idleSince)
    .execute()
}

export async function touchSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastUsedAt: now }).where('tokenHash', '=', tokenHash).execute()
}
