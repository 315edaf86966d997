import { sql } from 'kysely'
import { permissionsWith, toOpenPass } from '../access/pass.ts'
import type { Db, Tx, UserRow } from '../db/schema.ts'
import { lockUser } from '../records/user-queries.ts'
import { dropNewAddress } from './address-queries.ts'

export async function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Somebody as they are told who they are. */
export async function findCurrentUser(db: Db, userId: number, now: Date) {
  const { passMay, passRevokedAt, eventEndsAt, needsSecondFactor, hasFactor, ...user } = await db
    .selectFrom('users')
    .leftJoin('clubs', 'clubs.id', 'users.clubId')
    .leftJoin('events', (join) =>
      join
        .on('events.removedAt', 'is', null)
        .on('users.passMay', 'is not', null)
        .on('events.id', '=', sql<number>`users.event_ids[1]`),
    )
    .select([
      'users.id',
      'role',
      'fullName',
      'users.email',
      'image',
      'users.clubId',
      'clubs.name as clubName',
      'users.language',
      'teamRole',
      'users.eventIds',
      'passMay',
      'passRevokedAt',
      'events.endsAt as eventEndsAt',
      'clubs.needsSecondFactor',
      sql<boolean>`has_second_factor(users.id)`.as('hasFactor'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const pass = toOpenPass({ passMay, passRevokedAt, eventEndsAt }, now)
  const mustSetUp = pass === null && needsSecondFactor === true && !hasFactor
  return { ...user, permissions: [...permissionsWith(user.teamRole, pass)], isPass: pass !== null, mustSetUp }
}

interface NewSession {
  tokenHash: string
  phoneHash?: string
  /** Whether the second factor was proved. */
  provedFactor?: boolean
  userId: number
  browser: string
  system: string
  address: string
}

export async function insertSession(db: Db, session: NewSession, now: Date): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ ...session, createdAt: now, lastUsedAt: now })
    .execute()
}

/** A user's sessions that have not ended, the hundred that were used last. */
export async function listSessions(db: Db, userId: number, idleSince: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'browser', 'system', 'address', 'createdAt', 'lastUsedAt', 'tokenHash'])
    .where('userId', '=', userId)
    .where('lastUsedAt', '>', idleSince)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** Ends one of the user's sessions; false when there is none with this id. */
export async function deleteSessionById(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute()
}

/** Ends all of a user's sessions, except the one kept, and drops the new address that one of them may have asked for. Without one to keep it is not the user who decides: their API tokens end too. */
export async function deleteSessionsOf(tx: Db, userId: number, exceptTokenHash: string | null): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(exceptTokenHash !== null, (query) => query.where('tokenHash', '<>', exceptTokenHash ?? ''))
    .execute()
  await dropNewAddress(tx, userId)
  if (exceptTokenHash === null) await deleteTokensOf(tx, userId)
}

/** Ends a user's API tokens. A trigger ends them with each change of the password. */
export async function deleteTokensOf(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('apiTokens').where('userId', '=', userId).execute()
}

/** Whether a session is still there. */
export async function hasSession(tx: Db, tokenHash: string): Promise<boolean> {
  const row = await tx.selectFrom('sessions').select('id').where('tokenHash', '=', tokenHash).executeTakeFirst()
  return row !== undefined
}

export async function deleteIdleSessions(db: Db, idleSince: Date): Promise<void> {
  await db.deleteFrom('sessions').where('lastUsedAt', '<=', idleSince).execute()
}

/** Deletes API tokens that expired before this time. */
export async function deleteExpiredTokens(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('apiTokens').where('expiresAt', '<=', before).execute()
}

/** How long a requested link for a new password is valid. */
export const ASKED_MINUTES = 30
/** How many valid links a person has at once: asking again must not invalidate the link that is being used. */
const LINKS = 2

interface NewLink {
  userId: number
  tokenHash: string
  expiresAt: Date
}

/**
 * Stores the hash of a link's token. The latest links mailed stay valid, and so do the latest that the operator passes on, which are valid
 * longer.
 */
export async function savePasswordReset(db: Db, { userId, tokenHash, expiresAt }: NewLink, now: Date): Promise<void> {
  const mailedUntil = new Date(now.getTime() + ASKED_MINUTES * 60_000)
  const isMailed = expiresAt <= mailedUntil
  await db.insertInto('passwordResets').values({ userId, tokenHash, expiresAt }).execute()
  await db
    .deleteFrom('passwordResets')
    .where('userId', '=', userId)
    .where('expiresAt', isMailed ? '<=' : '>', mailedUntil)
    .where('tokenHash', 'not in', (eb) =>
      eb
        .selectFrom('passwordResets')
        .select('tokenHash')
        .where('userId', '=', userId)
        .where('expiresAt', isMailed ? '<=' : '>', mailedUntil)
        .orderBy(sql`(token_hash = ${tokenHash})`, 'desc')
        .orderBy('expiresAt', 'desc')
        .limit(LINKS),
    )
    .execute()
}

/** Whose link this token is of; null when it is unknown or has expired. */
export async function findPasswordReset(db: Db, tokenHash: string, now: Date): Promise<number | null> {
  const row = await db
    .selectFrom('passwordResets')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row?.userId ?? null
}

export async function deleteExpiredResets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passwordResets').where('expiresAt', '<=', now).execute()
}

/** Links sent earlier stop working. */
export async function deletePasswordResets(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passwordResets').where('userId', '=', userId).execute()
}

/**
 * Uses up a link's token, with the person's other links, and returns the user, locked; null when the token is unknown or has expired. Of
 * concurrent calls one gets it.
 */
export async function takePasswordReset(tx: Tx, tokenHash: string, now: Date): Promise<UserRow | null> {
  // Locked first, as by those who remove the user.
  const userId = await findPasswordReset(tx, tokenHash, now)
  const user = userId === null ? null : await lockUser(tx, userId)
  const rows = await tx
    .deleteFrom('passwordResets')
    .where('userId', 'in', (eb) =>
      eb.selectFrom('passwordResets').select('userId').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now),
    )
    .returning('tokenHash')
    .execute()
  return rows.some((row) => row.tokenHash === tokenHash) ? user : null
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
