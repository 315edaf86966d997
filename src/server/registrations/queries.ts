import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hidden } from '../db/planner.ts'
import type { Db, MailRow, RegistrationRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'
import { searchTextOf } from '../places/place-queries.ts'

/**
 * Earlier registrations with one of these keys. Each pair is looked up by itself, so that PostgreSQL can only walk the index: with a
 * list of pairs it compares every row of the event with every pair while the table has no statistics, as in the first rush.
 */
export async function findByKeys(
  tx: Tx,
  pairs: readonly { eventId: number; idempotencyKey: string }[],
): Promise<RegistrationRow[]> {
  return runStatement(tx, registrationsWithKeys(pairs))
}

/** The statement of `findByKeys`, to be sent in a pipeline. */
export const registrationsWithKeys = (pairs: readonly { eventId: number; idempotencyKey: string }[]) =>
  byKeys(
    pairs.map(({ eventId }) => eventId),
    pairs.map(({ idempotencyKey }) => idempotencyKey),
  )

const byKeys = statement<RegistrationRow>(
  'find registrations by key',
  `
  select found.* from unnest($1::int[], $2::text[]) as pair (event_id, idempotency_key)
  cross join lateral (
    select * from registrations r where r.event_id = pair.event_id and r.idempotency_key = pair.idempotency_key limit 1
  ) found
  `,
)

/** Notes that nothing is to be paid for it any more: staff confirmed it. */
export async function setFree(tx: Tx, id: number): Promise<RegistrationRow> {
  return tx
    .updateTable('registrations')
    .set({ amount: 0, discount: 0 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Person = Pick<RegistrationRow, 'name' | 'email' | 'phone' | 'others'>

/** The columns that say who somebody is and what they answered. */
const columnsOf = (person: Person) => ({
  ...person,
  others: JSON.stringify(person.others),
  searchText: searchTextOf(person),
})

export async function updateRegistration(tx: Tx, id: number, person: Person): Promise<RegistrationRow> {
  return tx
    .updateTable('registrations')
    .set((eb) => ({ ...columnsOf(person), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Gives a ticket to somebody else, with new codes for it and its vouchers. Its former holder is kept, with the former code. A repeated request
 * of whoever registered does not find it any more. Mails that would tell the new codes are not sent to the former address; what else was to
 * be told goes there, and none of its mails proves the new one.
 */
export async function handOver(tx: Tx, before: RegistrationRow, person: Person, now: Date): Promise<RegistrationRow> {
  const { id, qrUuid, name, email } = before
  await tx.insertInto('formerHolders').values({ registrationId: id, qrUuid, name, email, handedOnAt: now }).execute()
  await sql`update extras_purchases set qr_uuid = gen_random_uuid() where registration_id = ${id}`.execute(tx)
  await sql`
    with void as (
      update mails set status = 'dropped', lead_id = null
      where registration_id = ${id} and kind in ('ticket', 'event changed') and status in ('queued', 'held')
      returning id
    )
    update mails set lead_id = null where status = 'queued' and registration_id <> ${id} and lead_id in (select id from void)
  `.execute(tx)
  await sql`
    update mails set recipient = ${email} where registration_id = ${id} and recipient is null and ${email}::text <> ''
  `.execute(tx)
  return tx
    .updateTable('registrations')
    .set((eb) => ({
      ...columnsOf(person),
      qrUuid: randomUUID(),
      // That of no request.
      fingerprint: before.idempotencyKey === null ? null : 'handed on',
      openedAt: null,
      handedOnAt: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** How often a ticket has been handed on. */
export async function countHandOns(db: Db, registrationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from former_holders where registration_id = ${registrationId}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Notes that the ticket's page was opened; not more than once a minute. */
export async function storeOpened(
  db: Db,
  { id, qrUuid }: Pick<RegistrationRow, 'id' | 'qrUuid'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('registrations')
    .set({ openedAt: now })
    .where('id', '=', id)
    .where('qrUuid', '=', qrUuid)
    .where((eb) => eb.or([eb('openedAt', 'is', null), eb('openedAt', '<', new Date(now.getTime() - 60_000))]))
    .execute()
}

/**
 * Deletes it. If it is the contact of an order, the link to all of its tickets no longer works, and the session, which leads back to that
 * page, is ended.
 */
export async function deleteRegistration(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`
    update payments set ask_at = ${now} where is_order and lead_id is null and status in ('starting', 'open')
      and id in (
        select coalesce(p.lead_id, p.id) from payments p join registrations r on r.id = p.registration_id where r.order_id = ${id}
      )
  `.execute(tx)
  await sql`update orders set secret = gen_random_uuid() where id = ${id}`.execute(tx)
  await tx.deleteFrom('registrations').where('id', '=', id).execute()
}

/** The changes by its own club to a registration and its check-in, with the names of those who made them. */
export async function listChangesOf(db: Db, { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>) {
  return db
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.userId')
    .leftJoin('formerUsers', 'formerUsers.id', 'changes.userId')
    .select((eb) => [
      'at',
      'subject',
      'action',
      'after',
      eb.fn.coalesce('users.fullName', 'formerUsers.fullName').as('by'),
    ])
    .where('subject', 'in', ['registration', 'checkin'])
    .where('subjectId', '=', id)
    .where(hidden('changes.club_id'), '=', clubId)
    .orderBy('changes.id', 'desc')
    .execute()
}

/** How often each of these registrations was cancelled or confirmed, by the log; none for those that never were. */
export async function countMoves(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select subject_id as id, count(*)::int as count from changes
    where subject = 'registration' and subject_id = any(${ids}::int[]) and before ? 'status' group by 1
  `.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export async function listMailsOf(db: Db, registrationId: number): Promise<MailRow[]> {
  return db.selectFrom('mails').selectAll().where('registrationId', '=', registrationId).orderBy('id', 'desc').execute()
}

/** The published events that are not over and for which this address is registered, soonest first, at most twenty. */
export async function findEventsOf(db: Db, email: string, now: Date): Promise<number[]> {
  // Event by event along the index of live registrations, since there is none of addresses alone.
  const { rows } = await sql<{ id: number }>`
    select e.id from events e
    cross join lateral (
      select 1 from registrations r
      where r.event_id = e.id and lower(r.email) = ${email.toLowerCase()} and r.email <> '' and r.status <> 'cancelled'
      limit 1
    ) registered
    where e.ends_at > ${now} and e.status = 'published' and e.removed_at is null
    order by e.starts_at limit 20
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * What an event was before each of its edits since the holders of these tickets were last told of it, the latest first: of what was edited, the
 * values as they are logged. The last ticket or news that was sent has told them; where none was sent, the page on which they registered.
 */
export async function findEditsNotTold(
  db: Db,
  eventId: number,
  registrationIds: readonly number[],
): Promise<{ before: unknown }[]> {
  const { rows } = await sql<{ before: unknown }>`
    select before from changes
    where subject = 'event' and subject_id = ${eventId} and action = 'edited' and at > (
      select min(coalesce(told.at, r.registration_time)) from registrations r
      left join lateral (
        select max(sent_at) as at from mails
        where registration_id = r.id and kind in ('ticket', 'event changed') and status = 'sent'
      ) told on true
      where r.id = any(${registrationIds}::int[])
    )
    order by id desc
  `.execute(db)
  return rows
}
