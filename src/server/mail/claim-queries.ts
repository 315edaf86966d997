import { type RawBuilder, sql } from 'kysely'
import { MOST_IN_ORDER } from '../../contract/order.ts'
import { SLACK_MS } from '../db/is-due.ts'
import type { Db, MailRow, Tx } from '../db/schema.ts'
import { probeAt, readState } from './state-queries.ts'

/** One worker claims at a time, or two would both take the last of the pace. */
const CLAIM_LOCK = 7_085_662
/** More tickets of one address than this go in several mails. It is enough for those of an order. */
const MOST_TOGETHER = MOST_IN_ORDER
/** Kinds of mail that are joined when they go to one address for one event. */
const kindsTogether = ['ticket', 'event changed'] as const satisfies MailRow['kind'][]

export interface Claim {
  now: Date
  /** How long no other worker takes them, in ms. */
  leaseMs: number
  /** The longest time until another try, in ms: a mail due later than that was dated by a wrong clock. */
  longestGapMs: number
  /** Maximum number of mails. */
  limit: number
  /** How many all workers together may take from `since` until now; null for no such limit. */
  pace: { since: Date; most: number } | null
  /** The club whose turn came last; null at first. */
  lastClubId: number | null
}

/** A mail to be sent: a row of the queue with those that travel in the same mail. */
export interface Claimed {
  lead: MailRow
  followers: MailRow[]
}

export interface Claims {
  mails: Claimed[]
  /** Whether the queue is paused and this one mail finds out if the cause is gone. */
  isProbe: boolean
  lastClubId: number | null
}

/**
 * Takes due mails for sending: those to users first, then one of each club in turn, the oldest of each first. Not faster than
 * the pace that all workers share, and while the queue is paused only one now and then, to probe.
 */
export async function claimDueMails(db: Db, claim: Claim): Promise<Claims> {
  const { now, pace, limit, lastClubId } = claim
  // Most rounds find no mail, and then send one statement instead of six.
  if (!(await isAnyQueued(db))) return { mails: [], isProbe: false, lastClubId }
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(tx)
    const state = await readState(tx, now)
    const paced = pace === null ? limit : Math.min(limit, pace.most - (await countClaimed(tx, pace.since, now)))
    const most = state === 'paused' ? 0 : state === 'probe' ? Math.min(1, paced) : paced
    if (most <= 0) return { mails: [], isProbe: false, lastClubId }
    const taken = await takeInTurn(tx, { ...claim, limit: most })
    const isProbe = state === 'probe' && taken.length > 0
    if (isProbe) await probeAt(tx, new Date(now.getTime() + claim.leaseMs))
    const mails = await joinByAddress(tx, taken, now)
    return {
      mails,
      isProbe,
      lastClubId: taken.findLast(({ clubId, userId }) => clubId && !userId)?.clubId ?? lastClubId,
    }
  })
}

/** Uses the index `mails_oldest`, which holds only queued mails. */
async function isAnyQueued(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('status', '=', sql.lit('queued'))
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function countClaimed(tx: Tx, since: Date, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('claimedAt', '>', since)
    // A clock that was ahead for a while must not use up the pace of today.
    .where('claimedAt', '<=', now)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Walks from club to club along the index `mails_waiting`, so that its cost depends on how many clubs wait, not on how many
 * mails there are. Only this index has the whole order: along another one, all mails that a club was ever sent would be read.
 */
async function takeInTurn(tx: Tx, claim: Claim): Promise<MailRow[]> {
  const { now, leaseMs, limit, lastClubId } = claim
  const forClubs = sql`status = 'queued' and user_id is null and lead_id is null`
  const ofClub = (most: number) => dueOf(sql`${forClubs} and club_id = waiting.club_id`, claim, most)
  const { rows } = await sql<MailRow & { round: number; turn: number }>`
    with recursive clubs (club_id) as (
      (select club_id from mails where ${forClubs} order by club_id, run_at, id limit 1)
      union all
      select (
        select m.club_id from mails m where ${forClubs} and m.club_id > clubs.club_id order by m.club_id, m.run_at, m.id limit 1
      )
      from clubs where clubs.club_id is not null
    ),
    turns as (
      select waiting.club_id, row_number() over () as turn
      from (
        select club_id from clubs where club_id is not null
        order by club_id <= ${lastClubId ?? 0}, club_id offset 0
      ) waiting
      cross join lateral ${ofClub(1)} due
      limit ${limit}
    ),
    chosen as (
      (select id, 0 as round, 0 as turn from ${dueOf(sql`status = 'queued' and user_id is not null`, claim, limit)} due)
      union all
      (
        select due.id, due.round, waiting.turn
        from turns waiting cross join lateral (
          select id, row_number() over (order by run_at, id) as round from ${ofClub(limit)} due
        ) due
      )
      order by round, turn limit ${limit}
    ),
    free as (
      select id from mails where id in (select id from chosen) and status = 'queued' for update skip locked
    ),
    taken as (
      update mails set locked_until = ${new Date(now.getTime() + leaseMs)}, claimed_at = ${now}, attempts = attempts + 1
      where id in (select id from free)
      returning *
    )
    select taken.*, chosen.round, chosen.turn from taken join chosen on chosen.id = taken.id
    order by round, turn, run_at, id
  `.execute(tx)
  return rows.map(({ round: _round, turn: _turn, ...row }) => row)
}

/**
 * Due and not being sent, oldest first. What is due later than the longest gap, or leased for longer than a lease, was dated by a
 * clock that was wrong, and counts as due and free.
 */
function dueOf(which: RawBuilder<unknown>, { now, leaseMs, longestGapMs }: Claim, most: number): RawBuilder<unknown> {
  const after = (ms: number) => new Date(now.getTime() + ms + SLACK_MS)
  const isFree = sql`(locked_until is null or locked_until <= ${now} or locked_until > ${after(leaseMs)})`
  const part = (isDue: RawBuilder<unknown>) =>
    sql`(select id, run_at from mails where ${which} and ${isDue} and ${isFree} order by run_at, id limit ${most})`
  return sql`(
    ${part(sql`run_at <= ${now}`)} union all ${part(sql`run_at > ${after(longestGapMs)}`)} limit ${most}
  )`
}

/**
 * Joins due mails of a kind to one address about one event into the mail of the first of them. Only a mail that was not tried yet is joined
 * with others, so that a Message-ID always stands for the same content.
 */
export async function joinByAddress(tx: Tx, taken: MailRow[], now: Date): Promise<Claimed[]> {
  const ids = taken.map(({ id }) => id)
  if (ids.length === 0) return []
  await sql`
    with leads as (
      select min(m.id) as id, m.kind, r.event_id, lower(r.email) as email
      from mails m join registrations r on r.id = m.registration_id
      where m.id = any(${ids}::int[]) and m.attempts = 1 and m.kind = any(${[...kindsTogether]}::text[]) and r.email <> ''
      group by m.kind, r.event_id, lower(r.email)
    ),
    others as (
      select f.id, leads.id as lead_id, row_number() over (partition by leads.id order by f.id) as place
      from leads
      -- Each by the one index that fits, whatever is known of the tables: the event may have 100,000 registrations, and as many mails wait.
      cross join lateral (
        select id from registrations r
        where r.event_id = leads.event_id and lower(r.email) = leads.email and r.email <> '' and r.status <> 'cancelled' offset 0
      ) r
      cross join lateral (select * from mails where registration_id = r.id offset 0) f
      where f.kind = leads.kind and f.id <> leads.id and f.status = 'queued' and f.lead_id is null and f.run_at <= ${now}
        and (f.attempts = 0 or f.id = any(${ids}::int[]) and f.attempts = 1)
    ),
    free as (
      select f.id, others.lead_id from mails f join others on others.id = f.id
      where others.place < ${MOST_TOGETHER} for update of f skip locked
    )
    update mails set lead_id = free.lead_id, locked_until = null, claimed_at = null, attempts = 0
    from free where mails.id = free.id
  `.execute(tx)
  // Their status is looked at here: in the statement it would make the database read the index of all that wait.
  const joined = await tx.selectFrom('mails').selectAll().where('leadId', 'in', ids).orderBy('id').execute()
  const followers = joined.filter(({ status }) => status === 'queued')
  const following = new Set(followers.map(({ id }) => id))
  return taken
    .filter(({ id }) => !following.has(id))
    .map((lead) => ({ lead, followers: followers.filter(({ leadId }) => leadId === lead.id) }))
}
