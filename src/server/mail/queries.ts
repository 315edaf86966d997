import type { Db, MailRow } from '../db/schema.ts'

/** Takes due mails for sending: until `lockedUntil` no other worker takes them. */
export async function claimDueMails(db: Db, now: Date, lockedUntil: Date, limit: number): Promise<MailRow[]> {
  return db
    .updateTable('mails')
    .set((eb) => ({ lockedUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('status', '=', 'queued')
        .where('runAt', '<=', now)
        .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))
        .orderBy('runAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** Keeps other workers away from mails that are still being sent. */
export async function extendLeases(db: Db, ids: readonly number[], lockedUntil: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ lockedUntil })
    .where('id', 'in', ids)
    .where('lockedUntil', 'is not', null)
    .execute()
}

export async function markSent(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ status: 'sent', sentAt: now, lockedUntil: null, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** The mail is not to be sent any more, because what it tells of is gone. */
export async function markDropped(db: Db, id: number): Promise<void> {
  await db.updateTable('mails').set({ status: 'dropped', lockedUntil: null }).where('id', '=', id).execute()
}

/** Notes a failed try: another at `nextTry`, or none. */
export async function markFailedTry(db: Db, id: number, lastError: string, nextTry: Date | null): Promise<void> {
  await db
    .updateTable('mails')
    .set({ lastError, lockedUntil: null, ...(nextTry ? { runAt: nextTry } : { status: 'failed' as const }) })
    .where('id', '=', id)
    .execute()
}

export async function countMails(db: Db) {
  return db
    .selectFrom('mails')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}
