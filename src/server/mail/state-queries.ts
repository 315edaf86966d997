import { sql } from 'kysely'
import { SLACK_MS } from '../db/is-due.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'

const FIRST_PAUSE_S = 10
const LONGEST_PAUSE_S = 120
/** How many mails a day an address gets because of visitors' registrations, if it did not ask for any. */
const MOST_UNASKED_A_DAY = 5
const DAY_MS = 24 * 60 * 60_000

export interface MailPause {
  /** The mail server's message, without addresses. */
  reason: string
  since: Date
  tryAgainAt: Date
}

/** Why no mail goes out, and when it is tried again; null while the queue runs. */
export async function findPause(db: Db): Promise<MailPause | null> {
  const { reason, since, pausedUntil } = await db.selectFrom('mailState').selectAll().executeTakeFirstOrThrow()
  return reason === null || since === null || pausedUntil === null ? null : { reason, since, tryAgainAt: pausedUntil }
}

/** Whether mails go out now, none do, or one may, to probe whether the cause of the pause is gone. */
export async function readState(tx: Tx, now: Date): Promise<'open' | 'paused' | 'probe'> {
  const pause = await findPause(tx)
  if (!pause) return 'open'
  const left = pause.tryAgainAt.getTime() - now.getTime()
  // A pause longer than the maximum was set by a clock that was ahead.
  return left > 0 && left <= LONGEST_PAUSE_S * 1_000 + SLACK_MS ? 'paused' : 'probe'
}

/** Sets when the next mail probes; in the future it keeps other workers from probing too. */
export async function probeAt(db: Db, at: Date): Promise<void> {
  await db.updateTable('mailState').set({ pausedUntil: at }).where('reason', 'is not', null).execute()
}

/** Pauses the queue, longer each time that a probe fails. */
export async function pauseQueue(db: Db, reason: string, now: Date): Promise<void> {
  await sql`
    update mail_state set reason = ${reason}, since = coalesce(since, ${now}), failures = failures + 1, paused_until =
      ${now}::timestamptz + least(${LONGEST_PAUSE_S}, ${FIRST_PAUSE_S} * 2 ^ least(failures, 10)) * interval '1 second'
  `.execute(db)
}

/** The cause of the pause is gone: the mails that it stopped are due at once. */
export async function resumeQueue(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('mailState').set({ reason: null, since: null, pausedUntil: null, failures: 0 }).execute()
    await tx
      .updateTable('mails')
      .set({ runAt: now })
      .where('status', '=', 'queued')
      .where('policyRefusals', '=', 1)
      .execute()
  })
}

/** A row of the queue, and the row whose mail includes it, which may be itself. */
interface MailOfRow {
  id: number
  leadId: number
}

/**
 * Counts mails that visitors caused against the limits of their addresses. Above the limit a mail's rows are held, unless the address has
 * proved that it reads our mails. Each mail is counted once, however often it is tried. Returns the ids (`leadId`) of the held mails.
 */
export async function holdUnasked(db: Db, mails: readonly MailOfRow[], now: Date): Promise<ReadonlySet<number>> {
  if (mails.length === 0) return new Set()
  const ids = mails.map(({ id }) => id)
  const leadIds = mails.map(({ leadId }) => leadId)
  const isToday = sql`a.day_start between ${new Date(now.getTime() - DAY_MS)} and ${now}`
  const { rows } = await sql<{ id: number }>`
    with asked as (
      select lead_id, hash, row_number() over of_address as place, count(*) over (partition by hash) as mails
      from (
        select m.id as lead_id, sha256(convert_to(lower(coalesce(m.recipient, r.email)), 'UTF8')) as hash
        from mails m join registrations r on r.id = m.registration_id where m.id = any(${leadIds}::int[])
      ) lead
      window of_address as (partition by hash order by lead_id)
    ),
    counted as (
      insert into mail_addresses as a (address_hash, day_start, sent)
      -- In a fixed order, so that two workers cannot deadlock.
      select hash, ${now}, mails from asked where place = 1 order by hash
      on conflict (address_hash) do update set
        sent = case when ${isToday} then a.sent else 0 end + excluded.sent,
        day_start = case when ${isToday} then a.day_start else ${now} end
      returning address_hash, sent, proven_at
    ),
    judged as (
      select lead_id, address_hash, proven_at is null and sent - mails + place > ${MOST_UNASKED_A_DAY} as is_held
      from asked join counted on address_hash = hash
    ),
    changed as (
      update mails m set is_unasked = false,
        status = case when is_held then 'held' else status end,
        address_hash = case when is_held then judged.address_hash end,
        locked_until = case when is_held then null else locked_until end,
        lead_id = case when is_held then null else m.lead_id end
      from unnest(${ids}::int[], ${leadIds}::int[]) as travelling (id, lead_id) join judged using (lead_id)
      where m.id = travelling.id and status = 'queued'
    )
    select lead_id as id from judged where is_held
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The ticket was opened by the link that only its mail contains: whoever reads the address wants its mails, and held ones go out. A wrong
 * `mailId` changes nothing, nor does that of a mail to whoever had the ticket before.
 */
export async function storeProven(
  db: Db,
  { id, qrUuid }: Pick<RegistrationRow, 'id' | 'qrUuid'>,
  mailId: string,
  now: Date,
): Promise<void> {
  await sql`
    with proven as (
      insert into mail_addresses as a (address_hash, day_start, sent, proven_at)
      select sha256(convert_to(lower(r.email), 'UTF8')), ${now}, 0, ${now}
      from mails m join registrations r on r.id = m.registration_id
      where m.message_id = ${mailId}::uuid and m.registration_id = ${id} and r.qr_uuid = ${qrUuid}::uuid
        and m.recipient is null and m.status = 'sent' and r.email <> ''
      on conflict (address_hash) do update set proven_at = ${now}
      returning address_hash
    )
    update mails set status = 'queued', address_hash = null, run_at = ${now}
    where status = 'held' and address_hash in (select address_hash from proven)
  `.execute(db)
}

/** Deletes counts of past days. */
export async function deleteOldMailAddresses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mailAddresses').where('dayStart', '<', before).where('provenAt', 'is', null).execute()
}
