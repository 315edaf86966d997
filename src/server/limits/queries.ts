import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import { deletePortions } from '../records/portion-queries.ts'

interface Window {
  key: string
  /** When a window that begins now ends. */
  endsAt: Date
  /** How many tries. */
  count: number
}

/**
 * Counts tries under each key and returns the counts by key. A count starts again when its window has ended, or ends later than one
 * that begins now by more than servers' clocks differ, as after a clock was set back.
 */
export async function countTries(db: Db | Tx, windows: readonly Window[], now: Date) {
  // In the keys' order, so that two who count the same keys never deadlock.
  const values = [...new Map(windows.map((window) => [window.key, window])).values()].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  )
  const isOver = sql<boolean>`limit_counts.ends_at <= ${now} or limit_counts.ends_at > excluded.ends_at + interval '1 minute'`
  const rows = await db
    .insertInto('limitCounts')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isOver} then excluded.count else limit_counts.count + excluded.count end`,
        endsAt: sql<Date>`case when ${isOver} then excluded.ends_at else limit_counts.ends_at end`,
      }),
    )
    .returning(['key', 'count', 'endsAt'])
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** A try that succeeded does not count. */
export async function forgetTries(db: Db, keys: readonly string[]): Promise<void> {
  await sql`
    update limit_counts set count = greatest(0, count - 1)
    where key in (select key from limit_counts where key = any(${[...keys]}) order by key for update)
  `.execute(db)
}

/** Removes the counts of these keys. */
export async function deleteTries(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('limitCounts').where('key', 'in', keys).execute()
}

/** Removes what has expired: counts, used proofs, and unpaid holds. */
export async function deleteEnded(db: Db, now: Date): Promise<void> {
  await deletePortions(db, 'limit_counts', sql`ends_at <= ${now}`)
  await deletePortions(db, 'used_proofs', sql`expires_at <= ${now}`)
  await deletePortions(db, 'unpaid_holds', sql`expires_at <= ${now}`)
}

/** Notes that a challenge's solution was used; false when it had been used before. */
export async function spendProof(db: Db, signature: string, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('usedProofs')
    .values({ signature, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('signature')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks these keys until the transaction ends. In a fixed order, so that transactions never deadlock. */
export async function lockKeys(tx: Tx, keys: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(text, 7085663) as key from unnest(${[...keys]}::text[]) as text order by 1
    ) sorted
  `.execute(tx)
}

interface Hold {
  registrationId: number
  emailHash: string
  networkHash: string | null
  wideNetworkHash: string | null
  expiresAt: Date
}

/** How many unpaid seats each of these hashes holds, whether of an e-mail address or of a network. */
export async function countHolds(tx: Tx, hashes: readonly string[], now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ hash: string; count: number }>`
    select hash, count(*)::int as count
    from unnest(${[...hashes]}::text[]) as hash
    join unpaid_holds h on (h.email_hash = hash or h.network_hash = hash or h.wide_network_hash = hash) and h.expires_at > ${now}
    join registrations r on r.id = h.registration_id and r.status = 'pending'
    group by hash
  `.execute(tx)
  return new Map(rows.map(({ hash, count }) => [hash, count]))
}

/** Stores who holds these seats; one that is held again keeps its row. */
export async function insertHolds(tx: Tx, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return
  await tx
    .insertInto('unpaidHolds')
    .values([...holds])
    .onConflict((conflict) =>
      conflict.column('registrationId').doUpdateSet((eb) => ({
        networkHash: eb.ref('excluded.networkHash'),
        wideNetworkHash: eb.ref('excluded.wideNetworkHash'),
        expiresAt: eb.ref('excluded.expiresAt'),
      })),
    )
    .execute()
}
