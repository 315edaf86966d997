import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'

/** Somebody's app with codes; undefined for none. While it is being set up, it does not count. */
export async function findApp(db: Db, userId: number) {
  return db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** Whether signing in takes a second factor for them: an app with codes, or a passkey. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select has_second_factor(${userId}) as has`.execute(db)
  return rows[0]?.has === true
}

/** What somebody has of it. */
export async function findFactors(db: Db, userId: number): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
  const { rows } = await sql<{ hasApp: boolean; hasPasskey: boolean }>`
    select exists (select from second_factors where user_id = ${userId} and confirmed_at is not null) as "hasApp",
      exists (select from passkeys where user_id = ${userId}) as "hasPasskey"
  `.execute(db)
  return rows[0] ?? { hasApp: false, hasPasskey: false }
}

/** Stores the secret of an app that is being set up; false when one is set up already. */
export async function saveSecret(db: Db, userId: number, secret: string): Promise<boolean> {
  const row = await db
    .insertInto('secondFactors')
    .values({ userId, secret, confirmedAt: null })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ secret, lastStep: 0 }).where('secondFactors.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** The code of this time step of an app, which counts once and in order; false when it or a later one was used. */
export async function takeStep(db: Db, userId: number, { secret, step }: { secret: string; step: number }) {
  const row = await db
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** From now on the app with this secret counts; false when it did already, or was set up anew meanwhile. */
export async function finishApp(
  tx: Tx,
  { userId, secret }: { userId: number; secret: string },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('secondFactors')
    .set({ confirmedAt: now })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('confirmedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes the app; false when none was set up. */
export async function deleteApp(tx: Tx, userId: number): Promise<boolean> {
  const rows = await tx.deleteFrom('secondFactors').where('userId', '=', userId).returning('confirmedAt').execute()
  return rows.some(({ confirmedAt }) => confirmedAt !== null)
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}

/** Replaces the recovery codes. */
export async function saveRecoveryCodes(tx: Tx, userId: number, codeHashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  await tx
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash })))
    .execute()
}

/** Uses up a recovery code. Of concurrent calls one gets it. */
export async function takeRecoveryCode(db: Db, userId: number, codeHash: string): Promise<boolean> {
  const row = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Notes that the session's person has proved again who they are. */
export async function confirmSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmedAt: now }).where('tokenHash', '=', tokenHash).execute()
}

/** Notes that this session counts with the second factor that its person has now. */
export async function markProved(tx: Tx, tokenHash: string): Promise<void> {
  await tx.updateTable('sessions').set({ provedFactor: true }).where('tokenHash', '=', tokenHash).execute()
}

/** Requires a second factor of everybody in the club's team from now on, or (null) of nobody; returns whether that was a change. */
export async function requireFactor(tx: Tx, clubId: number, secondFactorSince: Date | null): Promise<boolean> {
  const needsSecondFactor = secondFactorSince !== null
  const row = await tx
    .updateTable('clubs')
    .set({ needsSecondFactor, secondFactorSince })
    .where('id', '=', clubId)
    .where('needsSecondFactor', '<>', needsSecondFactor)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
