import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Schema, Tx } from '../db/schema.ts'

interface NewAddress {
  userId: number
  email: string
}

/**
 * Stores the address that somebody wants, in place of another one, whose links stop working. A trigger drops it when their address or
 * password changes.
 */
export async function saveNewAddress(
  tx: Tx,
  { userId, email, askedBy }: NewAddress & { askedBy: string },
  expiresAt: Date,
): Promise<void> {
  await sql`
    insert into new_addresses as n (user_id, email, asked_by, expires_at) values (${userId}, ${email}, ${askedBy}, ${expiresAt})
    on conflict (user_id) do update set
      token_hash = case when n.email = excluded.email then n.token_hash end,
      former_token_hash = case when n.email = excluded.email then n.former_token_hash end,
      email = excluded.email, asked_by = excluded.asked_by, expires_at = excluded.expires_at
  `.execute(tx)
}

/**
 * Stores the hash of a link's token and until when it is valid; false when the address is no longer wanted. The link mailed before stays
 * valid: mails may arrive in any order, and one that is sent again may have arrived.
 */
export async function saveAddressToken(
  db: Db,
  { userId, email, tokenHash, expiresAt }: NewAddress & { tokenHash: string; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('newAddresses')
    .set((eb) => ({ tokenHash, formerTokenHash: eb.ref('tokenHash'), expiresAt }))
    .where('userId', '=', userId)
    .where('email', '=', email)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The address that somebody has yet to confirm, null for none, and whether the latest mail to it failed for good. */
export async function findNewAddress(
  db: Db,
  userId: number,
  now: Date,
): Promise<{ email: string | null; isUndeliverable: boolean }> {
  const { rows } = await sql<{ email: string; isUndeliverable: boolean }>`
    select n.email, coalesce(m.status = 'failed', false) as is_undeliverable
    from new_addresses n left join lateral (
      select status from mails where user_id = n.user_id and kind = 'confirm address' and recipient = n.email order by id desc limit 1
    ) m on true
    where n.user_id = ${userId} and n.expires_at > ${now}
  `.execute(db)
  return rows[0] ?? { email: null, isUndeliverable: false }
}

const isOf = (tokenHash: string, now: Date) => (eb: ExpressionBuilder<Schema, 'newAddresses'>) =>
  eb.and([eb.or([eb('tokenHash', '=', tokenHash), eb('formerTokenHash', '=', tokenHash)]), eb('expiresAt', '>', now)])

/** Whose link this token is of; null when it is unknown or has expired. */
export async function findUserOfAddressToken(db: Db, tokenHash: string, now: Date): Promise<number | null> {
  const row = await db.selectFrom('newAddresses').select('userId').where(isOf(tokenHash, now)).executeTakeFirst()
  return row?.userId ?? null
}

/** Uses up a link's token; null when it is unknown or has expired. Of concurrent calls one gets it. */
export async function takeNewAddress(tx: Tx, tokenHash: string, now: Date) {
  const row = await tx
    .deleteFrom('newAddresses')
    .where(isOf(tokenHash, now))
    .returning(['email', 'askedBy'])
    .executeTakeFirst()
  return row ?? null
}

/** The address is no longer wanted, and its links stop working. */
export async function dropNewAddress(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('newAddresses').where('userId', '=', userId).execute()
}

/** Forgets addresses that were not confirmed in time, and to whom the mails about them were sent: they may be somebody else's. */
export async function deleteExpiredAddresses(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('newAddresses').where('expiresAt', '<=', now).execute()
  await sql`
    update mails set recipient = null where kind = 'confirm address' and recipient is not null and status <> 'queued'
  `.execute(db)
}
