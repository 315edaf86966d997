import type { Db, Tx, UserRow } from '../db/schema.ts'

/** Whom the link of an invitation with this token's hash invites; null when it is unknown, used or has expired. */
export async function findInvited(db: Db, tokenHash: string, now: Date) {
  const row = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .innerJoin('clubs', 'clubs.id', 'users.clubId')
    .select(['clubs.name as clubName', 'users.fullName', 'users.email', 'users.teamRole'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .where('invitedUntil', 'is not', null)
    .where('clubs.removedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Somebody of the club who has not joined yet, locked until the transaction ends; null for anybody else. */
export async function lockInvited(tx: Tx, id: number, clubId: number): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('clubId', '=', clubId)
    .where('invitedUntil', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}
