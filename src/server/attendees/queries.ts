import { type RawBuilder, sql } from 'kysely'
import type { AttendeeRow, sortOrders } from '../../contract/attendees.ts'
import type { RegistrationStatus } from '../../contract/registrations.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'
import { built, pipeline, runBuilt, statement } from '../db/statement.ts'
import type { ShownColumns } from '../records/registration-queries.ts'
import { isOfTicketType } from '../records/ticket-type-queries.ts'
import { parseSearch, type Search } from './search.ts'

export interface Filters {
  searchKeyword: string
  checkin?: boolean | undefined
  /** Among those with vouchers: whether all of them are used up. */
  redeemed?: boolean | undefined
  status?: RegistrationStatus | undefined
  ticketTypeId?: number | undefined
  orderId?: number | undefined
  codeId?: number | undefined
}

/** Where a page ended: the value it was sorted by, as text, and the id. */
export interface Cursor {
  value: string
  id: number
}

/** What the list shows of a registration, with what it shows beside it. */
export interface AttendeeRecord extends ShownColumns, Pick<RegistrationRow, 'ticketTypeId' | 'codeId'> {
  checkinId: number | null
  checkinStatus: boolean | null
  checkinTime: Date | null
  checkedInBy: string | null
  /** When somebody who was let in went out; null while they are inside. */
  outSince: Date | null
  mail: AttendeeRow['mail']
  sortValue: string
}

type Sort = (typeof sortOrders)[number]

export interface Page {
  filters: Filters
  sortBy: Sort
  /** The last row of the page before; null for the first page. */
  after: Cursor | null
  limit: number
}

/** One page of an event's attendees. */
export async function findAttendees(db: Db, event: OwnEvent, page: Page): Promise<AttendeeRecord[]> {
  if (page.sortBy === 'checkin')
    // Both parts in one snapshot: somebody checked in between two reads would be missing from both.
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => findByCheckin(tx, event, page))
  const { filters, after, limit } = page
  const { isAfter, ...sort } = sorts[page.sortBy]
  return findRows(
    db,
    event,
    sql`
      from registrations r left join checkins c on c.registration_id = r.id
      where ${matching(event, filters)} and ${after ? isAfter(after) : sql`true`}
    `,
    { ...sort, limit },
  )
}

/**
 * A page sorted by check-in: those checked in, by the index of check-ins, then the others, by that of registrations. A cursor among the
 * others begins with `-`.
 */
export async function findByCheckin(
  tx: Tx,
  event: OwnEvent,
  { filters, after, limit }: Page,
): Promise<AttendeeRecord[]> {
  const othersAfter = after?.value.startsWith('-') ? { ...after, value: after.value.slice(1) } : null
  const come =
    othersAfter || filters.checkin === false
      ? []
      : await findRows(
          tx,
          event,
          sql`
          from checkins c join registrations r on r.id = c.registration_id
          where c.event_id = ${event.id} and c.checkin_time is not null and ${matchingOf(filters, event.id)}
            and ${after ? sql`(c.checkin_time, c.registration_id) < (${fromMicros(after.value)}, ${after.id})` : sql`true`}
        `,
          {
            value: micros(sql`c.checkin_time`),
            order: sql`c.checkin_time desc, c.registration_id desc`,
            orderOfPage: sql`page.checkin_time desc, page.id desc`,
            limit,
          },
        )
  if (come.length === limit || filters.checkin === true) return come
  const { isAfter, value, ...sort } = sorts.registration
  const others = await findRows(
    tx,
    event,
    sql`
      from registrations r left join checkins c on c.registration_id = r.id
      where ${matching(event, filters)} and c.checkin_time is null
        and ${othersAfter ? isAfter(othersAfter) : sql`true`}
    `,
    { ...sort, value: sql`'-' || ${value}`, limit: limit - come.length },
  )
  return [...come, ...others]
}

interface Shown {
  /** The value a row is sorted by, as text for the cursor. */
  value: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** The same order by the columns of `page`. */
  orderOfPage: RawBuilder<unknown>
  limit: number
}

/** Attendees of the event from these tables. */
async function findRows(db: Db, event: OwnEvent, from: RawBuilder<unknown>, shown: Shown): Promise<AttendeeRecord[]> {
  return runBuilt(db, sql<AttendeeRecord>`${rowsOf(event, from, shown)}`)
}

/** Selects attendees of the event from `registrations r` and `checkins c`, each with the state of its ticket's mail. */
export function rowsOf(
  { id }: OwnEvent,
  from: RawBuilder<unknown>,
  { value, order, orderOfPage, limit }: Shown,
): RawBuilder<unknown> {
  return sql`
    select page.id, page.event_id, page.club_id, page.qr_uuid, page.name, page.email, page.phone, page.others, page.registration_time, page.status,
      page.hold_expires_at, page.cancel_reason, page.amount, page.currency, page.discount, page.order_id, page.version, page.ticket_type_id, page.code_id,
      page.checkin_id, page.checkin_status, page.checkin_time, page.checked_in_by, page.out_since, page.sort_value, (
      select case when m.status = 'sent' and page.opened_at >= m.created_at then 'opened' else m.status end
      from mails m where m.registration_id = page.id and m.kind = 'ticket' order by m.id desc limit 1
    ) as mail
    from (
      select r.*, c.id as checkin_id, c.status as checkin_status, c.checkin_time, c.checked_in_by,
        case when c.is_out then c.moved_at end as out_since, ${value} as sort_value
      ${from} order by ${order} limit ${limit}
    ) page
    where page.event_id = ${id}
    order by ${orderOfPage}
  `
}

/** Whether an event has ever had vouchers, and payments. */
export const whatIsSold = statement<{ hasVouchers: boolean; hasPayments: boolean }>(
  'see what an event sells',
  // In the order of an index, since a plan that is made once for all events would otherwise read all rows where most are of one event.
  // PostgreSQL drops the order within `exists`.
  `
  select (select true from extras where event_id = $1 order by event_id, position limit 1) is not null as has_vouchers,
    (select true from income_counts where event_id = $1 order by event_id, currency, at limit 1) is not null as has_payments
  `,
)

/** The ids of all that match. */
export async function findAttendeeIds(db: Db, event: OwnEvent, filters: Filters): Promise<number[]> {
  const checkins = filters.checkin === undefined ? sql`` : sql`left join checkins c on c.registration_id = r.id`
  // As one array, because a million rows of one id would take much more memory.
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(r.id order by r.id), '{}') as ids from registrations r ${checkins} where ${matching(event, filters)}
  `.execute(db)
  return rows[0]?.ids ?? []
}

/** The attendees for the spreadsheet: those that match the filters and, if ids are given, have one of them. */
export interface Wanted {
  filters: Filters
  ids: readonly number[] | null
}

/** An attendee as the spreadsheet shows them. */
export type SheetRecord = Pick<
  RegistrationRow,
  | 'id'
  | 'name'
  | 'email'
  | 'phone'
  | 'others'
  | 'registrationTime'
  | 'status'
  | 'amount'
  | 'currency'
  | 'ticketTypeId'
  | 'orderId'
  | 'codeId'
  | 'discount'
> &
  Pick<AttendeeRecord, 'checkinStatus' | 'checkinTime' | 'checkedInBy'>

/** Attendees of the event for the spreadsheet, by id, and what the event had sold when they were read. */
export async function findForSheet(db: Db, event: OwnEvent, ids: readonly number[]) {
  // Looks each one up by its id: while the table has no statistics, the planner would otherwise read the whole event for each portion.
  const attendees = sql<SheetRecord>`
    select r.id, r.name, r.email, r.phone, r.others, r.registration_time, r.status, r.amount, r.currency, r.ticket_type_id, r.order_id, r.code_id, r.discount,
      c.status as checkin_status, c.checkin_time, c.checked_in_by
    from unnest(${ids}::int[]) as wanted (id)
    cross join lateral (select * from registrations where id = wanted.id and ${hidden('event_id')} = ${event.id} offset 0) r
    left join lateral (select * from checkins where registration_id = wanted.id offset 0) c on true
    order by r.id
  `
  const [rows, [sold]] = await pipeline(db, [built(db, attendees), whatIsSold(event.id)])
  return { rows, sold }
}

/** Which of these questions at least one attendee of the event has answered. */
export async function findAnsweredQuestions(
  db: Db,
  event: OwnEvent,
  questionIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${questionIds}::int[]) as asked (id)
    where exists (
      select from registrations r
      where r.event_id = ${event.id} and r.others @> jsonb_build_array(jsonb_build_object('qId', asked.id))
    )
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

// Latest first; by name as it is folded for searching.
export const sorts: Readonly<
  Record<Exclude<Sort, 'checkin'>, Omit<Shown, 'limit'> & { isAfter: (cursor: Cursor) => RawBuilder<unknown> }>
> = {
  registration: {
    value: micros(sql`r.registration_time`),
    order: sql`r.registration_time desc, r.id desc`,
    orderOfPage: sql`page.registration_time desc, page.id desc`,
    isAfter: ({ value, id }) => sql`(r.registration_time, r.id) < (${fromMicros(value)}, ${id})`,
  },
  name: {
    value: sql`r.search_text`,
    order: sql`r.search_text, r.id`,
    orderOfPage: sql`page.sort_value, page.id`,
    isAfter: ({ value, id }) => sql`(r.search_text, r.id) > (${value}::text, ${id})`,
  },
}

/** A moment as text for a cursor, exact to the microsecond that the database keeps. */
function micros(moment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(extract(epoch from ${moment}) * 1000000)::bigint::text`
}

function fromMicros(value: string): RawBuilder<unknown> {
  return sql`timestamptz 'epoch' + ${value}::bigint * interval '1 microsecond'`
}

/** The condition that an attendee matches; with a filter by check-in it needs `checkins c`. */
export function matching(event: OwnEvent, filters: Filters): RawBuilder<unknown> {
  const eventId = filters.orderId === undefined ? sql`r.event_id` : hidden('r.event_id')
  return sql`${eventId} = ${event.id} and ${matchingOf(filters, event.id)}`
}

/** The same for somebody who is known to be of this event. */
function matchingOf(
  { searchKeyword, checkin, redeemed, status, ticketTypeId, orderId, codeId }: Filters,
  eventId: number,
): RawBuilder<unknown> {
  const conditions = [matchingState({ status, checkin }, sql`coalesce(c.status, false)`)]
  if (ticketTypeId !== undefined) conditions.push(isOfTicketType(sql`r`, eventId, ticketTypeId))
  if (codeId !== undefined) conditions.push(sql`r.code_id = ${codeId}`)
  if (orderId !== undefined) conditions.push(sql`(r.order_id = ${orderId} or r.id = ${orderId})`)
  if (redeemed !== undefined) {
    const open = sql`exists (select from extras_purchases p where p.registration_id = r.id and not p.status)`
    const used = sql`exists (select from extras_purchases p where p.registration_id = r.id and p.status)`
    conditions.push(redeemed ? sql`${used} and not ${open}` : open)
  }
  if (searchKeyword !== '') conditions.push(matchesSearch(searchKeyword))
  return sql.join(conditions, sql` and `)
}

/** Of a registration `r`: `isIn` says whether somebody is in. */
export function matchingState(
  { status, checkin }: Pick<Filters, 'status' | 'checkin'>,
  isIn: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${status === undefined ? sql`true` : sql`r.status = ${status}`}
    and ${checkin === undefined ? sql`true` : sql`${isIn} = ${checkin}`}`
}

/** Of a registration `r`: it is found by the person, and by its id where the search is a number. */
function matchesSearch(keyword: string): RawBuilder<unknown> {
  const search = parseSearch(keyword)
  const found = search.words.length === 0 ? sql`true` : matchesPerson(search)
  const id = /^#?0*([1-9]\d{0,8})$/.exec(keyword)?.[1]
  return sql`(${found}${id === undefined ? sql`` : sql` or r.id = ${Number(id)}`})`
}

/** Of a registration `r`: every word is part of name, e-mail or phone. A search without words finds nobody. */
export function matchesPerson({ words, phone }: Search): RawBuilder<unknown> {
  if (words.length === 0) return sql`false`
  const contains = (part: string) => sql`r.search_text like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
  const parts = words.map(({ text, digits }) =>
    digits === null ? contains(text) : sql`(${contains(text)} or ${contains(digits)})`,
  )
  return sql`((${sql.join(parts, sql` and `)})${phone === null ? sql`` : sql` or ${contains(phone)}`})`
}
