import { sql } from 'kysely'
import { anyUnplanned } from '../db/planner.ts'
import type { Db, MailRow, Tx } from '../db/schema.ts'

/** Mails that tell somebody that their second factor was changed. */
export type FactorMail = Extract<
  MailRow['kind'],
  | 'second factor on'
  | 'second factor off'
  | 'second factor reset'
  | 'recovery codes made'
  | 'API token made'
  | 'passkey added'
  | 'passkey removed'
  | 'code app added'
  | 'code app removed'
>

interface NewMail {
  clubId: number
  registrationId: number
  kind: Exclude<MailRow['kind'], 'password reset' | 'email changed' | 'confirm address' | 'invitation' | FactorMail>
  /** The refund that it is about. */
  refundId?: number | null
  /** Whom it is sent to, if not to the registration's current address. */
  recipient?: string
  /** Whether a visitor caused it, so that it counts against the limit of its address. */
  isUnasked?: boolean
}

/** Queues a mail to an attendee, in the transaction of the change that it reports. */
export async function queueMail(tx: Tx, mail: NewMail, now: Date): Promise<void> {
  await tx
    .insertInto('mails')
    .values({ ...mail, runAt: now, createdAt: now })
    .execute()
}

/** Queues a mail of one kind to each of these attendees that has an address. */
export async function queueMails(
  tx: Tx,
  registrationIds: readonly number[],
  kind: NewMail['kind'],
  now: Date,
): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select club_id, id, ${kind}, ${now}, ${now} from registrations
    where id = any(${registrationIds}::int[]) and email <> '' order by id
  `.execute(tx)
}

/**
 * Queues news of the refunds of these, where their holder gave the ticket to somebody else, to whoever had it first and paid. Nothing is sent
 * where there are none.
 */
export async function queueForPayers(tx: Tx, registrationIds: readonly number[], now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, recipient, run_at, created_at)
    select r.club_id, r.id, 'refunded', payer.email, ${now}, ${now}
    from registrations r
    cross join lateral (
      select email from former_holders where registration_id = r.id order by handed_on_at limit 1
    ) payer
    where r.id = any(${registrationIds}::int[]) and r.handed_on_at is not null and r.order_id is null and payer.email <> ''
    order by r.id
  `.execute(tx)
}

/** Queues the mail with the ticket of a registration that has an address and never had this mail. */
export async function queueFirstTicketMail(tx: Tx, { id }: { id: number }, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select club_id, id, 'ticket', ${now}, ${now} from registrations
    where id = ${id} and email <> ''
      and not exists (select from mails where registration_id = ${id} and kind = 'ticket' and status <> 'dropped')
  `.execute(tx)
}

/**
 * Queues the mail about a changed time or place for everybody with a ticket. Those whose earlier one is still queued get no other: a mail
 * describes the state at the time it is sent.
 */
export async function queueChangeMails(tx: Tx, eventId: number, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select r.club_id, r.id, 'event changed', ${now}, ${now} from registrations r
    where r.event_id = ${eventId} and r.status = 'confirmed' and r.email <> '' and not exists (
      select from mails m
      where m.registration_id = r.id and m.kind = 'event changed' and m.status = 'queued' and m.attempts = 0
    )
  `.execute(tx)
}

/** Queues the tickets that this address has for these events, except those whose mail is still queued. */
export async function wantTicketMails(db: Db, eventIds: readonly number[], email: string, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select r.club_id, r.id, 'ticket', ${now}, ${now} from registrations r
    where r.event_id = ${anyUnplanned(eventIds)} and lower(r.email) = ${email.toLowerCase()} and r.email <> '' and r.status = 'confirmed'
      and not exists (
        -- By the registration alone, rather than among all mails that wait.
        select from (select * from mails where registration_id = r.id offset 0) m
        where m.kind = 'ticket' and m.status = 'queued' and m.attempts = 0
      )
  `.execute(db)
}

/**
 * Queues the mail with a link for a new password, if somebody signs in with this address. After three in a day the next ones
 * come ever more slowly, up to 25 minutes apart: less than a link is valid, so whoever owns the mailbox always has one.
 */
export async function wantPasswordResetMail(tx: Tx, email: string, now: Date): Promise<void> {
  // Whoever is only invited has no password to forget, and gets the invitation again while it is valid.
  const isPerson = sql`lower(email) = ${email.toLowerCase()} and (invited_until is null or invited_until > ${now})`
  // Concurrent requests count each other's mails.
  await sql`select from users where ${isPerson} for no key update`.execute(tx)
  await sql`
    with person as (select id, club_id, invited_until from users where ${isPerson}),
    asked as (
      select count(*) as count, max(m.created_at) as latest from person
      join mails m on m.user_id = person.id and m.kind in ('password reset', 'invitation')
        and m.created_at > ${now}::timestamptz - interval '1 day'
    )
    insert into mails (club_id, user_id, kind, run_at, created_at)
    select club_id, id, case when invited_until is null then 'password reset' else 'invitation' end, ${now}, ${now} from person, asked
    where asked.count < 3
      or asked.latest <= ${now}::timestamptz - least(interval '25 minutes', interval '1 minute' * 2 ^ least(asked.count - 3, 5))
  `.execute(tx)
}

/** Queues the mail to a user's previous address, saying that they sign in with another one now. */
export async function queueOldAddressMail(tx: Tx, userId: number, recipient: string, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, user_id, kind, recipient, run_at, created_at)
    select club_id, id, 'email changed', ${recipient}, ${now}, ${now} from users where id = ${userId}
  `.execute(tx)
}

/** Queues the mail with the link that confirms a user's new address. */
export async function queueNewAddressMail(tx: Tx, userId: number, recipient: string, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, user_id, kind, recipient, run_at, created_at)
    select club_id, id, 'confirm address', ${recipient}, ${now}, ${now} from users where id = ${userId}
  `.execute(tx)
}

/** Queues the mail that tells somebody that their second factor was changed. */
export async function queueFactorMail(tx: Tx, userId: number, kind: FactorMail, now: Date): Promise<void> {
  await sql`
    insert into mails (club_id, user_id, kind, run_at, created_at)
    select club_id, id, ${kind}, ${now}, ${now} from users where id = ${userId}
  `.execute(tx)
}

/** Queues the mail with the link of an invitation, unless one is still queued. */
export async function queueInvitationMail(
  tx: Tx,
  { id, clubId }: { id: number; clubId: number },
  now: Date,
): Promise<void> {
  await sql`
    insert into mails (club_id, user_id, kind, run_at, created_at)
    select ${clubId}::int, ${id}::int, 'invitation', ${now}, ${now} where not exists (
      select from mails m where m.user_id = ${id} and m.kind = 'invitation' and m.status = 'queued' and m.attempts = 0
    )
  `.execute(tx)
}

/** The rows of mails with these ids, locked in the order of the ids, so that two statements that change several cannot deadlock. */
function lockedInOrder(ids: readonly number[]) {
  return sql`(select id from mails where id = any(${ids}::int[]) order by id for no key update)`
}

/** Keeps other workers away from mails that are still being sent. */
export async function extendLeases(db: Db, ids: readonly number[], lockedUntil: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update mails set locked_until = ${lockedUntil} from ${lockedInOrder(ids)} mine
    where mails.id = mine.id and locked_until is not null
  `.execute(db)
}

/** Marks mails as sent: the rows of each, and when the mail server accepted it. */
export async function markSent(db: Db, mails: readonly { ids: readonly number[]; at: Date }[]): Promise<void> {
  const rows = mails.flatMap(({ ids, at }) => ids.map((id) => ({ id, at })))
  if (rows.length === 0) return
  await sql`
    update mails set status = 'sent', sent_at = sent.at, locked_until = null, last_error = null
    from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ at }) => at)}::timestamptz[]) as sent (id, at)
    join ${lockedInOrder(rows.map(({ id }) => id))} mine on mine.id = sent.id
    where mails.id = sent.id
  `.execute(db)
}

/** Marks mails that are no longer to be sent, because their subject is gone. */
export async function markDropped(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('mails').set({ status: 'dropped', lockedUntil: null }).where('id', 'in', ids).execute()
}

interface FailedTry {
  lastError: string
  /** When it is tried again; null for never. */
  nextTry: Date | null
}

/** Notes a failed try of a mail, which may stand for several rows. */
export async function markFailedTry(db: Db, ids: readonly number[], { lastError, nextTry }: FailedTry): Promise<void> {
  const next = nextTry ? { runAt: nextTry } : { status: 'failed' as const }
  await db
    .updateTable('mails')
    .set({ lastError, lockedUntil: null, ...next })
    .where('id', 'in', ids)
    .execute()
}

interface Release {
  lastError: string | null
  /** When it is due again; undefined: unchanged. */
  runAt?: Date
  /** How often it has been refused by policy; undefined: unchanged. */
  policyRefusals?: number
}

/** Returns a mail to the queue as if it had not been taken, and those joined to it. */
export async function release(db: Db, leadId: number, { lastError, runAt, policyRefusals }: Release): Promise<void> {
  await db
    .updateTable('mails')
    .set((eb) => ({
      leadId: null,
      lockedUntil: null,
      claimedAt: null,
      attempts: eb.fn<number>('greatest', [eb('attempts', '-', 1), eb.lit(0)]),
      ...(lastError !== null && { lastError }),
      ...(runAt && { runAt }),
      ...(policyRefusals !== undefined && { policyRefusals }),
    }))
    .where((eb) => eb.or([eb('id', '=', leadId), eb('leadId', '=', leadId)]))
    .where('status', '=', 'queued')
    .execute()
}

/** Counting stops here, so that its cost does not grow with the table. */
const MOST_COUNTED = 100_000

/** How many mails wait, failed or are held (up to 100,000 each), and since when the oldest one waits. */
export async function countMails(db: Db) {
  const count = (status: MailRow['status']) =>
    sql`(select count(*)::int from (select from mails where status = ${sql.lit(status)} limit ${MOST_COUNTED}) m)`
  const { rows } = await sql<{ queued: number; failed: number; held: number; oldest: Date | null }>`
    select ${count('queued')} as queued, ${count('failed')} as failed, ${count('held')} as held,
      (select min(created_at) from mails where status = 'queued') as oldest
  `.execute(db)
  return rows[0] ?? { queued: 0, failed: 0, held: 0, oldest: null }
}
