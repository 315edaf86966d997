import { sql } from 'kysely'
import { foldText } from '../../contract/fold-text.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Answer, Db, MailRow, RegistrationRow, Tx } from '../db/schema.ts'

/** A registration about to be made, with the secret it will have. */
export interface NewRegistration {
  eventId: number
  name: string
  email: string
  phone: string
  /** The answers, with the questions' words. */
  others: Answer[]
  qrUuid: string
  /** Minor unit; what is to be paid for all of it. */
  amount: number
  /** Until when it keeps its seat unpaid; null when nothing is to be paid. */
  holdExpiresAt: Date | null
  idempotencyKey: string | null
  /** SHA-256 of the body, in hex; there when the key is. */
  fingerprint: string | null
  /** Whether the event's limit for one e-mail address holds for it; not for what staff add. */
  isLimited: boolean
}

/** What became of one of them. */
export type Placing = { outcome: 'saved'; row: RegistrationRow } | { outcome: 'duplicate' | 'too many' | 'sold out' }

interface PlacedRow {
  qrUuid: string
  outcome: Placing['outcome']
}

/**
 * Places registrations in the order given, in one statement: who is registered already is a duplicate, and one e-mail address has
 * only so many at an event; the others get a seat while one is left, and with each seat go the log row and the ticket mail, which one to be paid gets later. The events'
 * rows must be locked.
 */
export async function placeRegistrations(
  tx: Tx,
  requests: readonly NewRegistration[],
  now: Date,
  userId: number | null = null,
): Promise<Placing[]> {
  const column = <K extends keyof NewRegistration>(key: K) => requests.map((request) => request[key])
  const { rows } = await sql<PlacedRow & Partial<RegistrationRow>>`
    with input as (
      select * from unnest(
        ${column('eventId')}::int[], ${column('name')}::text[], ${column('email')}::text[], ${column('phone')}::text[],
        ${requests.map(({ others }) => JSON.stringify(others))}::jsonb[], ${requests.map(searchTextOf)}::text[],
        ${column('qrUuid')}::uuid[], ${column('amount')}::int[], ${column('holdExpiresAt')}::timestamptz[],
        ${column('idempotencyKey')}::text[], ${column('fingerprint')}::text[], ${column('isLimited')}::boolean[]
      ) with ordinality as t
        (event_id, name, email, phone, others, search_text, qr_uuid, amount, hold_expires_at, idempotency_key, fingerprint,
          is_limited, n)
    ),
    fresh as (
      select input.*, row_number() over (partition by event_id, lower(email) order by n) as turn
      from input
      where not exists (
        select from registrations r
        where r.event_id = input.event_id and r.status <> 'cancelled' and r.email <> ''
          and lower(r.email) = lower(input.email) and lower(r.name) = lower(input.name)
      )
    ),
    allowed as (
      select fresh.*, row_number() over (partition by event_id order by n) as place
      from fresh join events e on e.id = fresh.event_id
      where not is_limited or e.max_per_email >= turn + (
        select count(*) from registrations r
        where r.event_id = fresh.event_id and r.status <> 'cancelled' and r.email <> '' and lower(r.email) = lower(fresh.email)
      )
    ),
    seated as (
      select allowed.*, e.club_id, e.currency
      from allowed join events e on e.id = allowed.event_id
      where e.max_attendees is null or e.registration_count + allowed.place <= e.max_attendees
    ),
    seats as (
      update events e set registration_count = e.registration_count + taken.count
      from (select event_id, count(*)::int as count from seated group by event_id) taken
      where e.id = taken.event_id
    ),
    saved as (
      insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
        status, hold_expires_at, amount, currency, idempotency_key, fingerprint)
      select event_id, club_id, qr_uuid, name, email, phone, others, search_text, ${now},
        case when hold_expires_at is null then 'confirmed' else 'pending' end, hold_expires_at, amount, currency,
        idempotency_key, fingerprint
      from seated order by n
      returning *
    ),
    ticket_mails as (
      insert into mails (club_id, registration_id, kind, run_at, created_at)
      select club_id, id, 'ticket', ${now}, ${now} from saved where email <> '' and status = 'confirmed'
    ),
    log as (
      insert into changes (at, club_id, user_id, subject, subject_id, action, after)
      select ${now}, club_id, ${userId}::int, 'registration', id, 'registered', jsonb_build_object('status', status) from saved
    )
    select saved.*, input.qr_uuid,
      case when saved.id is not null then 'saved' when fresh.n is null then 'duplicate'
        when allowed.n is null then 'too many' else 'sold out' end as outcome
    from input left join fresh on fresh.n = input.n left join allowed on allowed.n = input.n left join saved on saved.qr_uuid = input.qr_uuid
    order by input.n
  `.execute(tx)
  return rows.map((row) =>
    row.outcome === 'saved' ? { outcome: row.outcome, row: savedRow(row) } : { outcome: row.outcome },
  )
}

function savedRow(row: Partial<RegistrationRow>): RegistrationRow {
  if (row.id === undefined || row.id === null) throw new Error('A seat was given without its registration.')
  // Every column comes from `saved.*`, which is not null where the id is not.
  return row as RegistrationRow
}

/** A person as the attendee list searches for them. */
export function searchTextOf({ name, email, phone }: Pick<RegistrationRow, 'name' | 'email' | 'phone'>): string {
  return foldText(`${name} ${email} ${phone.replace(/\D/g, '')}`).trim()
}

/** Earlier registrations with one of these keys. */
export async function findByKeys(tx: Tx, pairs: readonly { eventId: number; idempotencyKey: string }[]) {
  if (pairs.length === 0) return []
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where((eb) =>
      eb(
        eb.refTuple('eventId', 'idempotencyKey'),
        'in',
        pairs.map(({ eventId, idempotencyKey }) => eb.tuple(eventId, idempotencyKey)),
      ),
    )
    .execute()
}

export async function findRegistration(db: Db, id: number): Promise<RegistrationRow | undefined> {
  return db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirst()
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
  return tx.selectFrom('registrations').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
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

/** Cancels a registration; its seat is the caller's to free. */
export async function cancel(
  tx: Tx,
  id: number,
  cancelReason: NonNullable<RegistrationRow['cancelReason']>,
): Promise<RegistrationRow> {
  return setState(tx, id, { status: 'cancelled', cancelReason, holdExpiresAt: null })
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

/** Events with a hold that has ended. */
export async function findEventsWithEndedHolds(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('registrations')
    .select('eventId')
    .distinct()
    .where('status', '=', 'pending')
    .where('holdExpiresAt', '<=', now)
    .execute()
  return rows.map(({ eventId }) => eventId)
}

/**
 * Frees the seats and vouchers of holds that have ended (or of all), in one statement, and has Stripe asked to end their sessions. The
 * events' rows must be locked.
 */
export async function endHolds(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  which: 'ended' | 'all' = 'ended',
): Promise<void> {
  const isOver = which === 'all' ? sql`true` : sql`hold_expires_at <= ${now}`
  await sql`
    with ended as (
      update registrations set status = 'cancelled', cancel_reason = 'hold ended', hold_expires_at = null
      where event_id = any(${eventIds}::int[]) and status = 'pending' and ${isOver}
      returning id, event_id, club_id
    ),
    seats as (
      update events e set registration_count = registration_count - freed.count
      from (select event_id, count(*)::int as count from ended group by 1) freed where e.id = freed.event_id
    ),
    stock as (
      update extras x set sold_count = sold_count - freed.count
      from (
        select p.extras_id, count(*)::int as count from extras_purchases p join ended on ended.id = p.registration_id group by 1
      ) freed
      where x.id = freed.extras_id
    ),
    sessions as (
      update payments set ask_at = ${now} where registration_id in (select id from ended) and status in ('starting', 'open')
    )
    insert into changes (at, club_id, subject, subject_id, action, before, after)
    select ${now}, club_id, 'registration', id, 'hold ended', '{"status":"pending"}', '{"status":"cancelled"}' from ended
  `.execute(tx)
}

type Person = Pick<RegistrationRow, 'name' | 'email' | 'phone' | 'others'>

export async function updateRegistration(tx: Tx, id: number, person: Person): Promise<RegistrationRow> {
  return tx
    .updateTable('registrations')
    .set({ ...person, others: JSON.stringify(person.others), searchText: searchTextOf(person) })
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

/** What was changed of a registration and of its check-in, with the name of who did it. */
export async function listChangesOf(db: Db, registrationId: number) {
  return db
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.userId')
    .select(['at', 'subject', 'action', 'after', 'users.fullName as by'])
    .where('subject', 'in', ['registration', 'checkin'])
    .where('subjectId', '=', registrationId)
    .orderBy('changes.id', 'desc')
    .execute()
}

export async function listMailsOf(db: Db, registrationId: number): Promise<MailRow[]> {
  return db.selectFrom('mails').selectAll().where('registrationId', '=', registrationId).orderBy('id', 'desc').execute()
}

/** The row in the contract's shape. */
export function toRegistration({ name, email, phone, others, ...row }: RegistrationRow): Registration {
  return { ...row, registrationData: { name, email, phone, others } }
}
