import { sql } from 'kysely'
import type { Db, MailRow, Tx } from '../db/schema.ts'

interface NewMail {
  clubId: number
  registrationId: number
  kind: Exclude<MailRow['kind'], 'password reset' | 'email changed'>
  /** The refund that it tells of. */
  refundId?: number | null
}

/** Queues a mail to an attendee, in the transaction that decides what it tells. */
export async function queueMail(tx: Tx, mail: NewMail, now: Date): Promise<void> {
  await tx
    .insertInto('mails')
    .values({ ...mail, runAt: now, createdAt: now })
    .execute()
}

/** Queues the news for everybody who has a place at an event that has been cancelled. */
export async function tellCancelled(tx: Tx, eventId: number, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select club_id, id, 'event cancelled', ${now}, ${now} from registrations
    where event_id = ${eventId} and status <> 'cancelled' and email <> ''
  `.execute(tx)
}

/** Queues the tickets that this address has for an event. */
export async function wantTicketMails(db: Db, eventId: number, email: string, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select club_id, id, 'ticket', ${now}, ${now} from registrations
    where event_id = ${eventId} and lower(email) = ${email.toLowerCase()} and status = 'confirmed'
  `.execute(db)
}

/**
 * Queues the mail with a link for a new password, if somebody signs in with this address. After three in a day the next ones
 * come ever more slowly, up to 25 minutes apart: less than a link is valid, so whoever owns the mailbox always has one.
 */
export async function wantPasswordResetMail(tx: Tx, email: string, now: Date): Promise<void> {
  const isPerson = sql`lower(email) = ${email.toLowerCase()}`
  // Those who ask at the same moment count each other's mails.
  await sql`select from users where ${isPerson} for no key update`.execute(tx)
  await sql`
    with person as (select id, club_id from users where ${isPerson}),
    asked as (
      select count(*) as count, max(m.created_at) as latest from person
      join mails m on m.user_id = person.id and m.kind = 'password reset'
        and m.created_at > ${now}::timestamptz - interval '1 day'
    )
    insert into mails (club_id, user_id, kind, run_at, created_at)
    select club_id, id, 'password reset', ${now}, ${now} from person, asked
    where asked.count < 3
      or asked.latest <= ${now}::timestamptz - least(interval '25 minutes', interval '1 minute' * 2 ^ least(asked.count - 3, 5))
  `.execute(tx)
}

/** Queues the news for the address a person had that they sign in with another one now. */
export async function tellOldAddress(tx: Tx, userId: number, recipient: string, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, user_id, kind, recipient, run_at, created_at)
    select club_id, id, 'email changed', ${recipient}, ${now}, ${now} from users where id = ${userId}
  `.execute(tx)
}

const PACE_LOCK = 7_085_662

interface Claim {
  now: Date
  /** Until then no other worker takes them. */
  lockedUntil: Date
  /** How many at the most. */
  limit: number
  /** How many all workers together may take from `since` on; null for no such limit. */
  pace: { since: Date; most: number } | null
}

/** Takes due mails for sending, not faster than the pace that all workers share. */
export async function claimDueMails(db: Db, { now, lockedUntil, limit, pace }: Claim): Promise<MailRow[]> {
  return db.transaction().execute(async (tx) => {
    const most = pace === null ? limit : Math.min(limit, pace.most - (await countClaimed(tx, pace.since)))
    if (most <= 0) return []
    return tx
      .updateTable('mails')
      .set((eb) => ({ lockedUntil, claimedAt: now, attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('mails')
          .select('id')
          .where('status', '=', 'queued')
          .where('runAt', '<=', now)
          .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))
          .orderBy('runAt')
          .limit(most)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute()
  })
}

/** How many mails were taken since then. One worker counts at a time, or two would both take the last of the pace. */
async function countClaimed(tx: Tx, since: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${PACE_LOCK})`.execute(tx)
  const { count } = await tx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('claimedAt', '>', since)
    .executeTakeFirstOrThrow()
  return count
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
