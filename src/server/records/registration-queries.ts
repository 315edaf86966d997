import { sql } from 'kysely'
import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/retention.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden, isEventThere, unplanned } from '../db/planner.ts'
import type { Db, FormerHolderRow, RegistrationRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'

/** The registration, unless its event is removed. */
export async function findRegistration(db: Db, id: number): Promise<RegistrationRow | undefined> {
  return (await findRegistrations(db, [id]))[0]
}

export async function findRegistrations(db: Db, ids: readonly number[]): Promise<RegistrationRow[]> {
  return db
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(isEventThere)
    .execute()
}

/** A registration of this event, locked until the transaction ends. */
export async function findOwnRegistration(tx: Tx, event: OwnEvent, id: number): Promise<RegistrationRow | undefined> {
  return (await findOwnRegistrations(tx, event, [id]))[0]
}

/** Registrations of this event, locked until the transaction ends; ids of others are skipped. */
export async function findOwnRegistrations(
  tx: Tx,
  event: OwnEvent,
  ids: readonly number[],
): Promise<RegistrationRow[]> {
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(hidden('event_id'), '=', event.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The same for a change. Refuses with NOT_FOUND, also when its personal data were deleted: there is nobody left to change. */
export async function findEditableRegistration(tx: Tx, event: OwnEvent, id: number): Promise<RegistrationRow> {
  const registration = await findOwnRegistration(tx, event, id)
  if (!registration) throw new Refusal('NOT_FOUND')
  checkNotErased(registration)
  return registration
}

/** Refuses with NOT_FOUND a registration whose personal data were deleted, and says so. */
export function checkNotErased({ erasedAt }: Pick<RegistrationRow, 'erasedAt'>): void {
  if (erasedAt !== null) throw new Refusal('NOT_FOUND', { msg: texts.dataWasDeleted })
}

/** The registration, locked until the transaction ends. The caller must have proven that it is theirs. */
export async function lockRegistration(tx: Tx, id: number): Promise<RegistrationRow | undefined> {
  return (await lockRegistrations(tx, [id]))[0]
}

/** The same for several, in the order of their ids. */
export async function lockRegistrations(tx: Tx, ids: readonly number[]): Promise<RegistrationRow[]> {
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(isEventThere)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The ids of an event's confirmed registrations after this one, locked, in their order. */
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

/** The live registration of somebody with this name and address for the event, other than that with this id. */
export async function findLiveTwin(
  tx: Tx,
  eventId: number,
  { name, email }: Pick<RegistrationRow, 'name' | 'email'>,
  exceptId: number | null = null,
): Promise<RegistrationRow | undefined> {
  if (email === '') return undefined
  return (
    tx
      .selectFrom('registrations')
      .selectAll()
      .where('eventId', '=', unplanned(eventId))
      .where(sql<boolean>`id is distinct from ${exceptId}::int`)
      .where('status', '<>', 'cancelled')
      // Otherwise the index of addresses would not be used.
      .where('email', '<>', '')
      // By the database's own rules, as its index has it: JavaScript's lower case differs for some letters.
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .where(sql<boolean>`lower(name) = lower(${name})`)
      .executeTakeFirst()
  )
}

/** Those of these registrations that have no live twin. */
export async function withoutTwins(tx: Tx, registrations: readonly RegistrationRow[]): Promise<RegistrationRow[]> {
  const found: RegistrationRow[] = []
  for (const registration of registrations)
    if (!(await findLiveTwin(tx, registration.eventId, registration, registration.id))) found.push(registration)
  return found
}

/** How many live registrations an e-mail address has for an event, other than this one. */
export async function countLive(
  tx: Tx,
  eventId: number,
  email: string,
  exceptId: number | null = null,
): Promise<number> {
  const { count } = await tx
    .selectFrom('registrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', unplanned(eventId))
    .where('status', '<>', 'cancelled')
    .where('email', '<>', '')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where(sql<boolean>`id is distinct from ${exceptId}::int`)
    .executeTakeFirstOrThrow()
  return count
}

type Holder = Pick<RegistrationRow, 'clubId' | 'language'>

/** The registration of the ticket that had this id and this secret before it was handed on; null for none. */
export async function findFormerHolder(db: Db, id: number, qrUuid: string): Promise<Holder | null> {
  const { rows } = await sql<Holder>`
    select r.club_id, r.language from former_holders f join registrations r on r.id = f.registration_id
      join events e on e.id = r.event_id and e.removed_at is null
    where f.registration_id = ${id} and f.qr_uuid::text = ${qrUuid.toLowerCase()}
  `.execute(db)
  return rows[0] ?? null
}

/** The registration of the ticket or voucher that has this id and this secret; null for none. */
export async function findHolder(db: Db, id: number, qrUuid: string): Promise<Holder | null> {
  const secret = qrUuid.toLowerCase()
  const { rows } = await sql<Holder>`
    select r.club_id, r.language from registrations r join events e on e.id = r.event_id and e.removed_at is null
    where (r.id = ${id} and r.qr_uuid::text = ${secret})
      or r.id = (select registration_id from extras_purchases where id = ${id} and qr_uuid::text = ${secret})
  `.execute(db)
  return rows[0] ?? null
}

/** Who had these tickets before they were handed on, the latest first. */
export async function findFormerHolders(db: Db, ids: readonly number[]): Promise<FormerHolderRow[]> {
  return db
    .selectFrom('formerHolders')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('handedOnAt', 'desc')
    .execute()
}

/**
 * Whether these tickets still have the codes with which they were read. What was read after them, as their vouchers, may otherwise be of
 * somebody to whom one was handed on meanwhile.
 */
export async function haveSameCodes(
  db: Db,
  tickets: readonly Pick<RegistrationRow, 'id' | 'qrUuid'>[],
): Promise<boolean> {
  const rows = await findRegistrations(
    db,
    tickets.map(({ id }) => id),
  )
  return tickets.every(({ id, qrUuid }) => rows.some((row) => row.id === id && row.qrUuid === qrUuid))
}

/** The columns of a registration that the contract's shape has. */
export type ShownColumns = Pick<
  RegistrationRow,
  | 'id'
  | 'eventId'
  | 'clubId'
  | 'qrUuid'
  | 'name'
  | 'email'
  | 'phone'
  | 'others'
  | 'registrationTime'
  | 'status'
  | 'holdExpiresAt'
  | 'cancelReason'
  | 'amount'
  | 'currency'
  | 'discount'
  | 'orderId'
  | 'version'
>

/** The row in the contract's shape. */
export function toRegistration(row: ShownColumns): Registration {
  const { name, email, phone, others } = row
  return {
    id: row.id,
    eventId: row.eventId,
    clubId: row.clubId,
    qrUuid: row.qrUuid,
    registrationTime: row.registrationTime,
    status: row.status,
    holdExpiresAt: row.holdExpiresAt,
    cancelReason: row.cancelReason,
    amount: row.amount,
    discount: row.discount,
    currency: row.currency,
    orderId: row.orderId ?? row.id,
    version: row.version,
    registrationData: { name, email, phone, others },
  }
}

/** Tickets by id, locked until the transaction ends. The caller must check whose they are. */
export async function lockTickets(tx: Tx, ids: readonly number[]): Promise<RegistrationRow[]> {
  return runStatement(tx, lockedTickets(ids))
}

/**
 * The statement of `lockTickets`, to be sent in a pipeline. The lateral join looks up each ticket by its id: in a table that was never
 * analysed, PostgreSQL would otherwise walk all tickets of the event.
 */
export const lockedTickets = statement<RegistrationRow>(
  'lock tickets',
  `
  select r.*
  from (select id from unnest($1::int[]) as id order by id) as asked
  cross join lateral (select * from registrations where id = asked.id for share) as r
  where exists (select from events e where e.id = r.event_id and e.removed_at is null)
  `,
)
