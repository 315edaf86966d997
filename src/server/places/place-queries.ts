import { sql } from 'kysely'
import { foldText } from '../../contract/values/fold-text.ts'
import { actingToken } from '../acting-token.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { pipelineAndCommit, runStatement, statement } from '../db/statement.ts'
import type { Answer } from '../db/tables/events.ts'

/** A registration about to be made, with the secret it will have. */
export interface NewRegistration {
  eventId: number
  /** Null for the event's first one. */
  ticketTypeId: number | null
  name: string
  email: string
  phone: string
  /** The answers, with the questions' words. */
  others: Answer[]
  qrUuid: string
  /** Minor unit; the total price. */
  amount: number
  /** Until when it keeps its seat unpaid; null when nothing is to be paid. */
  holdExpiresAt: Date | null
  idempotencyKey: string | null
  /** SHA-256 of the body, in hex; null without a key. */
  fingerprint: string | null
  /** The language of whoever registers; null for the club's main one. */
  language: string | null
  /** Whether the event's limit for one e-mail address applies; not for what staff add. */
  isLimited: boolean
  /** The code that makes it cheaper or opens its ticket, whose uses the caller has checked; null for none. */
  codeId: number | null
  /** What the code takes off the price, in the minor unit; `amount` is what is left. */
  discount: number
  /** The member of the club whose ticket it is, whom the caller has checked; null where it is for everybody. */
  member: string | null
}

/** The outcome of one seat request. */
export type Placing =
  | { outcome: 'saved'; row: RegistrationRow }
  | { outcome: 'duplicate' | 'too many' | 'sold out' | 'type sold out' }

/** The outcome of an order: all of its registrations, or why one of its people gets no seat, and so none of them does. */
export type OrderPlacing =
  | { outcome: 'saved'; rows: RegistrationRow[] }
  | {
      outcome: Exclude<Placing['outcome'], 'saved'>
      /** Whose seat it is about, counted from 0. */
      person: number
      /** How many places of the event, and of the person's ticket type, were left; null for no limit. */
      leftOfEvent: number | null
      leftOfType: number | null
    }

interface PlacedRow {
  outcome: Placing['outcome']
  /** The values that the database adds to a registration that got a seat; null for the others. */
  id: number | null
  clubId: number | null
  currency: string | null
}

interface PlacedOrderRow extends Omit<PlacedRow, 'outcome'> {
  /** `fits`: there was a seat for this one, but not for all. */
  outcome: Placing['outcome'] | 'fits'
  orderId: number | null
  leftOfEvent: number | null
  leftOfType: number | null
}

/** For requests that are independent of each other, or (`isOrder`) for the people of one order: all of them get their seats or none. */
const placeText = (isOrder: boolean) => {
  const ifOrder = (text: string) => (isOrder ? text : '')
  return `
  with input as (
    select * from unnest(
      $1::int[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::uuid[], $8::int[], $9::timestamptz[],
      $10::text[], $11::text[], $12::boolean[], $13::text[], $17::int[], $18::int[], $19::int[], $20::text[]
    ) with ordinality as t
      (event_id, name, email, phone, others, search_text, qr_uuid, amount, hold_expires_at, idempotency_key, fingerprint,
        is_limited, language, ticket_type_id, code_id, discount, member, n)
  ),
  persons as (
    select input.*,
      case when email = '' then 1 else row_number() over (partition by event_id, lower(email), lower(name) order by n) end as turn,
      -- Ordered as registrations_live_key is, so that the planner prefers this index. A plan made while the table was small could
      -- otherwise use any index that begins with the event, and read all of its registrations. The name is compared as a range, because
      -- PostgreSQL ignores an order by what is compared with =.
      (
        select true from registrations r
        where r.event_id = input.event_id and r.status <> 'cancelled' and r.email <> '' and lower(r.email) = lower(input.email)
          and lower(r.name) >= lower(input.name) and lower(r.name) <= lower(input.name)
        order by lower(r.name) limit 1
      ) is not null as is_known
    from input
  ),
  fresh as (
    select persons.*, row_number() over (partition by event_id, lower(email) order by n) as turn_of_email
    from persons where turn = 1 and not is_known
  ),
  allowed as (
    select fresh.*
    from fresh join events e on e.id = fresh.event_id
    where not is_limited or e.max_per_email >= turn_of_email + (
      select count(*) from (
        select from registrations r
        where r.event_id = fresh.event_id and r.status <> 'cancelled' and r.email <> '' and lower(r.email) = lower(fresh.email)
        order by lower(r.name) limit e.max_per_email
      ) others
    )
  ),
  of_type as (
    -- Only those whose type has a place left count for the event's places.
    select typed.*, row_number() over (partition by event_id order by n) as place
    from (
      select allowed.*, t.max_quantity, t.sold_count, row_number() over (partition by t.id order by n) as place_of_type
      from allowed join ticket_types t on t.event_id = allowed.event_id
        and (t.id = allowed.ticket_type_id or t.is_first and allowed.ticket_type_id is null)
    ) typed
    where max_quantity is null or sold_count + place_of_type <= max_quantity
  ),
  ${isOrder ? 'fitting' : 'seated'} as (
    select of_type.*, e.club_id, e.currency
    from of_type join events e on e.id = of_type.event_id
    where e.max_attendees is null or e.registration_count + e.walk_in_places + of_type.place <= e.max_attendees
  ),
  ${ifOrder(`
  seated as (select * from fitting where (select count(*) from fitting) = (select count(*) from input)),
  -- The order has the id of its first registration.
  numbers as materialized (
    select n, nextval(pg_get_serial_sequence('registrations', 'id'))::int as id
    from generate_series(1, (select count(*) from seated)) n
  ),
  orders as (
    insert into orders (id, event_id, club_id, secret, created_at)
    select id, event_id, club_id, $21::uuid, $14::timestamptz from seated join numbers using (n) where n = 1
  ),
  `)}
  seats as (
    update events e set registration_count = e.registration_count + taken.count
    from (select event_id, count(*)::int as count from seated group by event_id) taken
    where e.id = taken.event_id
  ),
  saved as (
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
      status, hold_expires_at, amount, currency, idempotency_key, fingerprint, language, ticket_type_id, code_id, discount, member${ifOrder(', id, order_id')})
    ${ifOrder('overriding system value')}
    select event_id, club_id, qr_uuid, name, email, phone, others, search_text, $14::timestamptz,
      case when hold_expires_at is null then 'confirmed' else 'pending' end, hold_expires_at, amount, currency,
      idempotency_key, fingerprint, language, ticket_type_id, code_id, coalesce(discount, 0), member${ifOrder(', numbers.id, (select id from numbers where n = 1)')}
    from seated ${ifOrder('join numbers using (n)')} order by n
    returning id, qr_uuid, club_id, email, status, currency, code_id, discount${ifOrder(', order_id')}
  ),
  ticket_mails as (
    insert into mails (club_id, registration_id, kind, is_unasked, run_at, created_at)
    select club_id, id, 'ticket', $15::int is null, $14::timestamptz, $14::timestamptz from saved where email <> '' and status = 'confirmed'
  ),
  -- The row of the registration itself says when a visitor registered; only a code's words are not in it.
  log as (
    insert into changes (at, club_id, user_id, subject, subject_id, action, after, token_name)
    select $14::timestamptz, club_id, $15::int, 'registration', id, 'registered',
      case when code_id is null then jsonb_build_object('status', status)
        else jsonb_build_object('status', status, 'code', (select code from codes where codes.id = code_id), 'discount', discount, 'currency', currency) end,
      $16::text
    from saved where $15::int is not null or code_id is not null
  )
  select decided.saved_id as id, decided.saved_club_id as club_id, decided.saved_currency as currency,
    ${ifOrder(`
    decided.order_id,
    (select max_attendees - registration_count - walk_in_places from events where id = decided.event_id) as left_of_event,
    (
      select max_quantity - sold_count from ticket_types t
      where t.event_id = decided.event_id and (t.id = decided.ticket_type_id or t.is_first and decided.ticket_type_id is null)
    ) as left_of_type,
    `)}
    coalesce(
      decided.outcome,
      -- Of one person's requests the first decides: without a place for it there is none for the others.
      nullif(first_value(decided.outcome) over (
        partition by decided.event_id, lower(decided.email), lower(decided.name) order by decided.n
      ), '${isOrder ? 'fits' : 'saved'}'),
      'duplicate'
    ) as outcome
  from (
    select persons.*, placed.id as saved_id, placed.club_id as saved_club_id, placed.currency as saved_currency${ifOrder(', placed.order_id')}, case
      when persons.is_known then 'duplicate'
      when persons.turn > 1 then null
      when placed.id is not null then 'saved'
      ${ifOrder("when exists (select from fitting where fitting.n = persons.n) then 'fits'")}
      when allowed.n is null then 'too many'
      when of_type.n is null then 'type sold out'
      else 'sold out' end as outcome
    from persons left join allowed on allowed.n = persons.n left join of_type on of_type.n = persons.n left join saved placed on placed.qr_uuid = persons.qr_uuid
  ) decided
  order by decided.n
  `
}
const place = statement<PlacedRow>('place registrations', placeText(false))
const placeTogether = statement<PlacedOrderRow>('place an order', placeText(true))

/**
 * Places registrations in the order given, in one statement: a person who is registered already, or appears twice among them, is a
 * duplicate, and one e-mail address has only so many places at an event. The others get a seat while one is left, of the event and of their
 * ticket type. Each seat comes with its ticket mail, which an unpaid one gets later, and with a log row if staff gave it or a code was used.
 * Only this statement decides who is the same person, as the index `registrations_live_key` does. The events' rows must be locked. `isLast`
 * commits the transaction with it.
 */
export async function placeRegistrations(
  tx: Tx,
  requests: readonly NewRegistration[],
  now: Date,
  { userId = null, isLast = false }: { userId?: number | null; isLast?: boolean } = {},
): Promise<Placing[]> {
  const searchTexts = requests.map(searchTextOf)
  const sent = place(...valuesOf(requests, searchTexts, now, userId))
  const [rows] = isLast ? await pipelineAndCommit(tx, [sent]) : [await runStatement(tx, sent)]
  return requests.map((request, index): Placing => {
    const row = rows[index]
    if (!row) throw new Error('A request was left without an outcome.')
    if (row.outcome !== 'saved') return { outcome: row.outcome }
    return {
      outcome: 'saved',
      row: savedRow(request, row, { searchText: searchTexts[index] ?? '', orderId: null, now }),
    }
  })
}

/**
 * Places the people of one order in one statement, by the same rules: all of them get their seats or none. The event's row must be locked.
 */
export async function placeOrder(
  tx: Tx,
  people: readonly NewRegistration[],
  secret: string,
  now: Date,
): Promise<OrderPlacing> {
  const searchTexts = people.map(searchTextOf)
  const rows = await runStatement(tx, placeTogether(...valuesOf(people, searchTexts, now, null), secret))
  const person = worthTelling(rows, people)
  const refused = rows[person]
  if (refused && refused.outcome !== 'saved' && refused.outcome !== 'fits') {
    const { outcome, leftOfEvent, leftOfType } = refused
    return { outcome, person, leftOfEvent, leftOfType }
  }
  return {
    outcome: 'saved',
    rows: people.map((request, index) => {
      const row = rows[index]
      if (row?.outcome !== 'saved' || row.orderId === null) throw new Error('An order got only some of its seats.')
      return savedRow(request, row, { searchText: searchTexts[index] ?? '', orderId: row.orderId, now })
    }),
  }
}

/**
 * The index of the person whose refusal is told, -1 if nobody is refused. First what everybody may know, then what the contact does; who
 * else is registered comes last, so that nobody learns it from an order that cannot be placed anyway.
 */
function worthTelling(rows: readonly PlacedOrderRow[], people: readonly NewRegistration[]): number {
  const contact = people[0]?.email.toLowerCase()
  const isContacts = (index: number) => people[index]?.email.toLowerCase() === contact
  const isAbout = (...outcomes: PlacedOrderRow['outcome'][]) => rows.map(({ outcome }) => outcomes.includes(outcome))
  const [full, known, over] = [isAbout('sold out', 'type sold out'), isAbout('duplicate'), isAbout('too many')]
  const turns = [
    full,
    known.map((is, index) => is && isContacts(index)),
    over.map((is, index) => is && isContacts(index)),
    known,
    over,
  ]
  return turns.map((is) => is.indexOf(true)).find((index) => index >= 0) ?? -1
}

function valuesOf(
  requests: readonly NewRegistration[],
  searchTexts: readonly string[],
  now: Date,
  userId: number | null,
): unknown[] {
  const column = <K extends keyof NewRegistration>(key: K) => requests.map((request) => request[key])
  // Most registrations have none of these: an empty list stands for as many nulls.
  const ifAny = (key: 'codeId' | 'discount' | 'member') => (requests.some((request) => request[key]) ? column(key) : [])
  return [
    column('eventId'),
    column('name'),
    column('email'),
    column('phone'),
    requests.map(({ others }) => JSON.stringify(others)),
    searchTexts,
    column('qrUuid'),
    column('amount'),
    column('holdExpiresAt'),
    column('idempotencyKey'),
    column('fingerprint'),
    column('isLimited'),
    column('language'),
    now,
    userId,
    actingToken(),
    column('ticketTypeId'),
    ifAny('codeId'),
    ifAny('discount'),
    ifAny('member'),
  ]
}

/** The row as saved. Values known here are not sent back by the database: in a rush that would be half of its cost. */
function savedRow(
  request: NewRegistration,
  { id, clubId, currency }: Pick<PlacedRow, 'id' | 'clubId' | 'currency'>,
  { searchText, orderId, now }: { searchText: string; orderId: number | null; now: Date },
): RegistrationRow {
  if (id === null || clubId === null || currency === null) throw new Error('A seat was given without its registration.')
  // Named one by one: spreading objects in the busiest path costs more than it saves.
  return {
    id,
    eventId: request.eventId,
    name: request.name,
    email: request.email,
    phone: request.phone,
    others: request.others,
    qrUuid: request.qrUuid,
    amount: request.amount,
    holdExpiresAt: request.holdExpiresAt,
    idempotencyKey: request.idempotencyKey,
    fingerprint: request.fingerprint,
    language: request.language,
    ticketTypeId: request.ticketTypeId,
    codeId: request.codeId,
    discount: request.discount,
    member: request.member,
    orderId,
    clubId,
    currency,
    searchText,
    registrationTime: now,
    status: request.holdExpiresAt === null ? 'confirmed' : 'pending',
    openedAt: null,
    cancelReason: null,
    erasedAt: null,
    handedOnAt: null,
    version: 1,
  }
}

/** A person's text for the attendee list's search. */
export function searchTextOf({ name, email, phone }: Pick<RegistrationRow, 'name' | 'email' | 'phone'>): string {
  return foldText(`${name} ${email} ${phone.replace(/\D/g, '')}`).trim()
}

type State = Pick<RegistrationRow, 'status' | 'cancelReason' | 'holdExpiresAt'>

async function setState(tx: Tx, ids: readonly number[], state: State): Promise<RegistrationRow[]> {
  const rows = await tx
    .updateTable('registrations')
    .set(state)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .returningAll()
    .execute()
  return rows.sort((a, b) => a.id - b.id)
}

/** Confirms registrations, whose seats must have been taken; returns them in the order of their ids. */
export async function confirm(tx: Tx, ids: readonly number[]): Promise<RegistrationRow[]> {
  return setState(tx, ids, { status: 'confirmed', cancelReason: null, holdExpiresAt: null })
}

/** Reinstates cancelled registrations until they are paid; their seats must have been taken. Returns them in the order of their ids. */
export async function holdAgain(tx: Tx, ids: readonly number[], holdExpiresAt: Date): Promise<RegistrationRow[]> {
  return setState(tx, ids, { status: 'pending', cancelReason: null, holdExpiresAt })
}
