import { type RawBuilder, sql } from 'kysely'
import { disputesOver } from '../../contract/payments.ts'
import type { Db, Tx } from '../db/schema.ts'
import { isOwed } from '../payments/failed-refund-queries.ts'

/** How long before a deletion it is fixed, so that a mistyped date or number can be corrected in time. */
const NOTICE = sql`interval '7 days'`
const KEPT = sql`coalesce(e.keep_days, c.keep_days) * interval '1 day'`

/** The events that have been over for as long as the club keeps personal data. */
const isOver = (at: RawBuilder<unknown>) => sql`
  e.erased_at is null and e.removed_at is null and c.removed_at is null and coalesce(e.keep_days, c.keep_days) > 0
  and e.ends_at <= ${at} - interval '30 days' and e.ends_at + ${KEPT} <= ${at}
`

/** The events whose personal data may be deleted: due since the notice, with no money under way and no other work on them. */
const isDueToErase = (now: Date) => sql`
  ${isOver(sql`${now}::timestamptz`)} and e.erase_from <= ${now}
  and not exists (
    select from payments p where p.event_id = e.id and ${isUnsettled}
  )
  and not exists (select from jobs j where j.event_id = e.id and j.kind <> 'erase event')
`

/** Whether something may still happen to a payment `p`: its session is open, a refund is queued, or the bank has not decided a dispute. */
const isUnderWay = sql`(
  p.status in ('starting', 'open') or (p.dispute is not null and p.dispute <> all(${disputesOver}::text[]))
  or exists (select from refunds f where f.payment_id = p.id and f.status = 'queued')
)`
/** Whether a payment `p` may still have to be given back. */
const isUnrefunded = sql`p.status = 'paid' and p.refunded < p.amount and p.dispute is distinct from 'lost'`
/** Whether money of a payment `p` at the event `e` is under way, or owed to whoever paid it. */
const isUnsettled = sql`(
  ${isUnderWay} or (e.status = 'cancelled' and ${isUnrefunded}) or exists (select from refunds f where f.payment_id = p.id and ${isOwed})
)`
/** Whether there is such a payment `p` of a registration `r` or of its order. */
const hasPayment = (condition: RawBuilder<unknown>) => sql`(
  exists (select from payments p where p.registration_id = r.id and ${condition})
  or r.order_id is not null and exists (
    select from payments p
    where p.registration_id = any(array(select o.id from registrations o where o.order_id = r.order_id)) and ${condition}
  )
)`
/** Whether money of a registration `r` at the event `e`, or of its order, is under way or owed. */
export const isMoneyOpen = hasPayment(isUnsettled)
/** Whether money of a registration `r`, or of its order, may still have to be given back. */
export const isMoneyLeft = hasPayment(isUnrefunded)

/**
 * Fixes for each event that will soon be due from when its personal data may be deleted, and takes that back where it is not due any more,
 * because its date or its days were changed.
 */
async function giveNotice(db: Db, now: Date): Promise<void> {
  const soon = isOver(sql`(${now}::timestamptz + ${NOTICE})`)
  await sql`
    update events set erase_from = null where erase_from is not null and not exists (
      select from events e join clubs c on c.id = e.club_id where e.id = events.id and ${soon}
    ) and erased_at is null
  `.execute(db)
  await sql`
    update events set erase_from = greatest(${now}::timestamptz + ${NOTICE}, due.at) from (
      select e.id, e.ends_at + ${KEPT} as at from events e join clubs c on c.id = e.club_id
      where ${soon} and e.erase_from is null order by e.ends_at limit 1000
    ) due where events.id = due.id and events.erase_from is null
  `.execute(db)
}

/** Queues a job for each event that is due, once; at most a hundred. */
export async function queueErasures(db: Db, now: Date): Promise<number> {
  await giveNotice(db, now)
  const { numAffectedRows } = await sql`
    insert into jobs (kind, event_id, run_at, created_at)
    select 'erase event', e.id, ${now}, ${now} from events e join clubs c on c.id = e.club_id
    where ${isDueToErase(now)} and not exists (select from jobs j where j.event_id = e.id)
    order by e.ends_at limit 100
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Locks the event; false when it is not due any more, because it was edited or its money moves again. */
export async function lockDueEvent(tx: Tx, eventId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from events e join clubs c on c.id = e.club_id where e.id = ${eventId} and ${isDueToErase(now)} for no key update of e
  `.execute(tx)
  return rows.length > 0
}

/** The next registrations of an event that still have personal data, locked. */
export async function findToErase(tx: Tx, eventId: number, afterId: number, most: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('registrations')
    .select('id')
    .where('eventId', '=', eventId)
    .where('id', '>', afterId)
    .where('erasedAt', 'is', null)
    .orderBy('id')
    .limit(most)
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** The next registrations of an event of which somebody is kept who had the ticket before, locked: their own holder may be erased already. */
export async function findWithFormerHolders(tx: Tx, eventId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from registrations r
    where r.id in (
      select h.registration_id from former_holders h join registrations o on o.id = h.registration_id where o.event_id = ${eventId}
    )
    order by r.id limit ${most} for no key update of r
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes all that is kept of whoever had the tickets of these locked registrations before, and every mail about them. */
export async function eraseFormerHolders(tx: Tx, ids: readonly number[]): Promise<void> {
  const chosen = sql`any(${[...ids]}::int[])`
  await sql`
    delete from mail_addresses where address_hash in (
      select sha256(convert_to(lower(email), 'UTF8')) from former_holders where registration_id = ${chosen} and email <> ''
    )
  `.execute(tx)
  await sql`delete from mails where registration_id = ${chosen}`.execute(tx)
  await sql`delete from former_holders where registration_id = ${chosen}`.execute(tx)
}

/**
 * Deletes the personal data of the holders of these locked registrations, and all that was kept of them elsewhere. Status, amounts, check-ins,
 * vouchers and the counts of answers stay; ticket and vouchers get secrets that nobody knows.
 */
export async function erasePeople(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  const chosen = sql`any(${[...ids]}::int[])`
  await sql`
    with given as (
      select q.id as question_id, q.options,
        case jsonb_typeof(each -> 'answer') when 'array' then each -> 'answer' else jsonb_build_array(each -> 'answer') end as answers
      from registrations r cross join lateral jsonb_array_elements(r.others) as each
      join form_questions q on q.id = (each ->> 'qId')::int and q.event_id = r.event_id and jsonb_array_length(q.options) > 0
      where r.id = ${chosen} and r.erased_at is null and r.status = 'confirmed'
        and jsonb_typeof(each -> 'answer') <> 'null' and each -> 'answer' not in ('[]', '""')
    ), counted as (
      select question_id, case when options ? answer then answer else '' end as answer
      from given cross join lateral jsonb_array_elements_text(answers) as answer
      union all
      select question_id, null from given
    )
    insert into erased_answers as a (question_id, answer, count)
    select question_id, answer, count(*) from counted group by 1, 2 order by 1, 2
    on conflict (question_id, answer) do update set count = a.count + excluded.count
  `.execute(tx)
  await sql`
    delete from mail_addresses where address_hash in (
      select sha256(convert_to(lower(email), 'UTF8')) from registrations where id = ${chosen} and email <> ''
    )
  `.execute(tx)
  // Those about others of the order may have gone to their address.
  await sql`
    delete from mails m using registrations r where r.id = ${chosen} and (
      m.registration_id = r.id and m.recipient is null
      or r.email <> '' and lower(m.recipient) = lower(r.email)
        and m.registration_id = any(array(select o.id from registrations o where o.id = r.id or o.order_id = r.order_id))
    )
  `.execute(tx)
  await sql`delete from unpaid_holds where registration_id = ${chosen}`.execute(tx)
  await sql`update payments set request = null, way = null where registration_id = ${chosen}`.execute(tx)
  await sql`update extras_purchases set qr_uuid = gen_random_uuid() where registration_id = ${chosen}`.execute(tx)
  // The page of an order is its contact's, whose registration has the same id.
  await sql`update orders set secret = gen_random_uuid() where id = ${chosen}`.execute(tx)
  await sql`
    update registrations set name = '', email = '', phone = '', others = '[]', search_text = '', idempotency_key = null,
      fingerprint = null, language = null, opened_at = null, member = null, qr_uuid = gen_random_uuid(), version = version + 1, erased_at = ${now}
    where id = ${chosen} and erased_at is null
  `.execute(tx)
}

/** Notes that no personal data of the event are left; returns its club. */
export async function markErased(tx: Tx, eventId: number, now: Date): Promise<{ clubId: number }> {
  // A note may say for whom a code was.
  await sql`update codes set note = '' where event_id = ${eventId} and note <> ''`.execute(tx)
  return tx
    .updateTable('events')
    .set({ erasedAt: now })
    .where('id', '=', eventId)
    .returning('clubId')
    .executeTakeFirstOrThrow()
}
