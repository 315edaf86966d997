import { sql } from 'kysely'
import type { Registration } from '../../contract/registrations.ts'
import { foldText } from '../../contract/values/fold-text.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { isDue } from '../db/is-due.ts'
import type { Answer, Db, MailRow, RegistrationRow, Tx } from '../db/schema.ts'
import { isEventThere } from '../events/queries.ts'
import { HOLD_MS } from '../payments/hold.ts'

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
 * Places registrations in the order given, in one statement: who is registered already, or stands twice among them, is a duplicate,
 * and one e-mail address has only so many places at an event. The others get a seat while one is left, and with each seat go
 * the log row and the ticket mail, which one to be paid gets later. Who is the same person is decided here alone, as the index
 * `registrations_live_key` has it. The events' rows must be locked.
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
    persons as (
      select input.*,
        case when email = '' then 1 else row_number() over (partition by event_id, lower(email), lower(name) order by n) end as turn,
        exists (
          select from registrations r
          where r.event_id = input.event_id and r.status <> 'cancelled' and r.email <> ''
            and lower(r.email) = lower(input.email) and lower(r.name) = lower(input.name)
        ) as is_known
      from input
    ),
    fresh as (
      select persons.*, row_number() over (partition by event_id, lower(email) order by n) as turn_of_email
      from persons where turn = 1 and not is_known
    ),
    allowed as (
      select fresh.*, row_number() over (partition by event_id order by n) as place
      from fresh join events e on e.id = fresh.event_id
      where not is_limited or e.max_per_email >= turn_of_email + (
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
      insert into mails (club_id, registration_id, kind, is_unasked, run_at, created_at)
      select club_id, id, 'ticket', ${userId}::int is null, ${now}, ${now} from saved where email <> '' and status = 'confirmed'
    ),
    log as (
      insert into changes (at, club_id, user_id, subject, subject_id, action, after)
      select ${now}, club_id, ${userId}::int, 'registration', id, 'registered', jsonb_build_object('status', status) from saved
    )
    select saved.*, decided.qr_uuid,
      coalesce(
        decided.outcome,
        -- Of one person's requests the first decides: without a place for it there is none for the others.
        nullif(first_value(decided.outcome) over (
          partition by decided.event_id, lower(decided.email), lower(decided.name) order by decided.n
        ), 'saved'),
        'duplicate'
      ) as outcome
    from (
      select persons.*, case
        when persons.is_known then 'duplicate'
        when persons.turn > 1 then null
        when placed.id is not null then 'saved'
        when allowed.n is null then 'too many'
        else 'sold out' end as outcome
      from persons left join allowed on allowed.n = persons.n left join saved placed on placed.qr_uuid = persons.qr_uuid
    ) decided left join saved on saved.qr_uuid = decided.qr_uuid
    order by decided.n
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

/** Events with a hold that has ended. */
export async function findEventsWithEndedHolds(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('registrations')
    .select('eventId')
    .distinct()
    .where('status', '=', 'pending')
    .where(isDue('holdExpiresAt', now, HOLD_MS))
    .where(isEventThere)
    .execute()
  return rows.map(({ eventId }) => eventId)
}

interface Release {
  reason: NonNullable<RegistrationRow['cancelReason']>
  /** What the log says was done. */
  action: string
  /** Null when a visitor or the server itself did it. */
  userId: number | null
}

/**
 * Cancels live registrations of locked events in one statement, and with each goes all that it held: its seat and its vouchers are
 * free again, Stripe is to be asked to end its sessions, and the log says so. The one rule for releasing a place; money and mails
 * are the caller's. Answers the rows as they are then, in the order of their ids.
 */
export async function releasePlaces(
  tx: Tx,
  live: readonly Pick<RegistrationRow, 'id' | 'status'>[],
  { reason, action, userId }: Release,
  now: Date,
): Promise<RegistrationRow[]> {
  if (live.length === 0) return []
  const { rows } = await sql<RegistrationRow>`
    with live as (
      select * from unnest(${live.map(({ id }) => id)}::int[], ${live.map(({ status }) => status)}::text[]) as l (id, status)
    ),
    released as (
      update registrations r set status = 'cancelled', cancel_reason = ${reason}, hold_expires_at = null
      from live where r.id = live.id
      returning r.*
    ),
    seats as (
      update events e set registration_count = registration_count - freed.count
      from (select event_id, count(*)::int as count from released group by 1) freed where e.id = freed.event_id
    ),
    stock as (
      update extras x set sold_count = sold_count - freed.count
      from (
        select extras_id, count(*)::int as count from extras_purchases where registration_id in (select id from live) group by 1
      ) freed
      where x.id = freed.extras_id
    ),
    sessions as (
      update payments set ask_at = ${now} where registration_id in (select id from live) and status in ('starting', 'open')
    ),
    log as (
      insert into changes (at, club_id, user_id, subject, subject_id, action, before, after)
      select ${now}, r.club_id, ${userId}::int, 'registration', r.id, ${action},
        jsonb_build_object('status', live.status), jsonb_build_object('status', r.status)
      from released r join live on live.id = r.id order by r.id
    )
    select * from released order by id
  `.execute(tx)
  return rows
}

/** The same for one registration. */
export async function releasePlace(
  tx: Tx,
  live: Pick<RegistrationRow, 'id' | 'status'>,
  release: Release,
  now: Date,
): Promise<RegistrationRow> {
  const [released] = await releasePlaces(tx, [live], release, now)
  if (!released) throw new Error('A locked registration is not there.')
  return released
}

/** Ends holds whose time is over (or all of them), and releases their places. The events' rows must be locked. */
export async function endHolds(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  which: 'ended' | 'all' = 'ended',
): Promise<RegistrationRow[]> {
  const ended = await tx
    .selectFrom('registrations')
    .select(['id', 'status'])
    .where('eventId', '=', sql<number>`any(${eventIds}::int[])`)
    .where('status', '=', 'pending')
    .$if(which === 'ended', (query) => query.where(isDue('holdExpiresAt', now, HOLD_MS)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return releasePlaces(tx, ended, { reason: 'hold ended', action: 'hold ended', userId: null }, now)
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
