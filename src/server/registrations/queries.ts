import { sql } from 'kysely'
import type { Registration } from '../../contract/registrations.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { isEventThere } from '../db/event-there.ts'
import type { Db, MailRow, RegistrationRow, Tx } from '../db/schema.ts'
import { searchTextOf } from '../places/place-queries.ts'

/**
 * Earlier registrations with one of these keys. Each pair is looked up by itself, so that PostgreSQL can only walk the index: with a
 * list of pairs it compares every row of the event with every pair while the table has no statistics, as in the first rush.
 */
export async function findByKeys(
  tx: Tx,
  pairs: readonly { eventId: number; idempotencyKey: string }[],
): Promise<RegistrationRow[]> {
  if (pairs.length === 0) return []
  const { rows } = await sql<RegistrationRow>`
    select found.* from unnest(
      ${pairs.map(({ eventId }) => eventId)}::int[], ${pairs.map(({ idempotencyKey }) => idempotencyKey)}::text[]
    ) as pair (event_id, idempotency_key)
    cross join lateral (
      select * from registrations r where r.event_id = pair.event_id and r.idempotency_key = pair.idempotency_key limit 1
    ) found
  `.execute(tx)
  return rows
}

/** The registration; one of an event that is removed is not there any more. */
export async function findRegistration(db: Db, id: number): Promise<RegistrationRow | undefined> {
  return db.selectFrom('registrations').selectAll().where('id', '=', id).where(isEventThere).executeTakeFirst()
}

/** Whether a ticket or a voucher has this id and this secret. */
export async function isCode(db: Db, id: number, qrUuid: string): Promise<boolean> {
  const secret = qrUuid.toLowerCase()
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (
      select from registrations r join events e on e.id = r.event_id and e.removed_at is null
      where r.id = ${id} and r.qr_uuid::text = ${secret}
    ) or exists (
      select from extras_purchases p join registrations r on r.id = p.registration_id
        join events e on e.id = r.event_id and e.removed_at is null
      where p.id = ${id} and p.qr_uuid::text = ${secret}
    ) as is_there
  `.execute(db)
  return rows[0]?.isThere ?? false
}

/** A registration of this event, locked until the transaction ends. */
export async function findOwnRegistration(tx: Tx, event: OwnEvent, id: number): Promise<RegistrationRow | undefined> {
  return (await findOwnRegistrations(tx, event, [id]))[0]
}

/** Registrations of this event, locked until the transaction ends; ids of others are passed over. */
export async function findOwnRegistrations(
  tx: Tx,
  event: OwnEvent,
  ids: readonly number[],
): Promise<RegistrationRow[]> {
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where('eventId', '=', event.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The registration, locked until the transaction ends. The caller must have proven that it is theirs. */
export async function lockRegistration(tx: Tx, id: number): Promise<RegistrationRow | undefined> {
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', id)
    .where(isEventThere)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The ids of an event's confirmed registrations behind this one, locked, in their order. */
export async function findConfirmedAfter(tx: Tx, eventId: number, afterId: number, most: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('registrations')
    .select('id')
    .where('eventId', '=', eventId)
    .where('id', '>', afterId)
    .where('status', '=', 'confirmed')
    .orderBy('id')
    .limit(most)
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function hasPaidRegistrations(tx: Tx, eventId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('registrations')
    .select('id')
    .where('eventId', '=', eventId)
    .where('status', '=', 'confirmed')
    .where('amount', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Confirms a registration; its seat must have been taken. */
export async function confirm(tx: Tx, id: number): Promise<RegistrationRow> {
  return setState(tx, id, { status: 'confirmed', cancelReason: null, holdExpiresAt: null })
}

/** Takes a cancelled registration up again for being paid; its seat must have been taken. */
export async function holdAgain(tx: Tx, id: number, holdExpiresAt: Date): Promise<RegistrationRow> {
  return setState(tx, id, { status: 'pending', cancelReason: null, holdExpiresAt })
}

type State = Pick<RegistrationRow, 'status' | 'cancelReason' | 'holdExpiresAt'>

async function setState(tx: Tx, id: number, state: State): Promise<RegistrationRow> {
  return tx.updateTable('registrations').set(state).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Notes that nothing is to be paid for it any more: staff confirmed it. */
export async function setFree(tx: Tx, id: number): Promise<RegistrationRow> {
  return tx
    .updateTable('registrations')
    .set({ amount: 0 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether somebody with this name and address has a live registration for the event, other than this one. */
export async function hasLiveTwin(tx: Tx, { id, eventId, name, email }: RegistrationRow): Promise<boolean> {
  if (email === '') return false
  const row = await tx
    .selectFrom('registrations')
    .select('id')
    .where('eventId', '=', eventId)
    .where('id', '<>', id)
    .where('status', '<>', 'cancelled')
    // By the database's own rules, as its index has it: JavaScript's lower case differs for some letters.
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  return row !== undefined
}

/** How many live registrations an e-mail address has for an event. */
export async function countLive(tx: Tx, eventId: number, email: string): Promise<number> {
  const { count } = await tx
    .selectFrom('registrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', eventId)
    .where('status', '<>', 'cancelled')
    .where('email', '<>', '')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirstOrThrow()
  return count
}

type Person = Pick<RegistrationRow, 'name' | 'email' | 'phone' | 'others'>

export async function updateRegistration(tx: Tx, id: number, person: Person): Promise<RegistrationRow> {
  return tx
    .updateTable('registrations')
    .set((eb) => ({
      ...person,
      others: JSON.stringify(person.others),
      searchText: searchTextOf(person),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Notes that the ticket's page was opened; not more than once a minute. */
export async function noteOpened(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('registrations')
    .set({ openedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('openedAt', 'is', null), eb('openedAt', '<', new Date(now.getTime() - 60_000))]))
    .execute()
}

export async function deleteRegistration(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('registrations').where('id', '=', id).execute()
}

/** What its own club changed of a registration and of its check-in, with the name of who did it. */
export async function listChangesOf(db: Db, { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>) {
  return db
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.userId')
    .select(['at', 'subject', 'action', 'after', 'users.fullName as by'])
    .where('subject', 'in', ['registration', 'checkin'])
    .where('subjectId', '=', id)
    .where('changes.clubId', '=', clubId)
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

/** The row in the contract's shape. */
export function toRegistration({ name, email, phone, others, ...row }: RegistrationRow): Registration {
  return { ...row, registrationData: { name, email, phone, others } }
}
