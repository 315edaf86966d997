import { type RawBuilder, sql } from 'kysely'
import type { HistorySubject } from '../../contract/history.ts'
import type { OwnClub } from '../access/own-club.ts'
import type { Db } from '../db/schema.ts'
import type { ChangeTable } from '../db/tables/platform.ts'

export interface Filters {
  /** The id of a person as text, or `operator`. */
  by?: string | undefined
  eventId?: number | undefined
  subject?: HistorySubject | undefined
}

/** A row of the log of changes with the names of what it is about. */
export interface HistoryRow {
  id: number
  at: Date
  subject: ChangeTable['subject']
  subjectId: number
  action: string
  before: unknown
  after: unknown
  /** Null for somebody of whom nothing is known any more. */
  by: string | null
  /** The name of the API token with which they did it; null: without one. */
  tokenName: string | null
  isByOperator: boolean
  eventId: number | null
  /** Null when it is not known any more. */
  eventName: string | null
  isEventThere: boolean
  currency: string | null
  timeZone: string | null
  attendee: string | null
  voucher: string | null
  member: string | null
}

interface Page {
  filters: Filters
  /** Only entries older than this one. */
  before: number | null
  limit: number
}

/** A page of what people have changed in the club, latest first. What visitors and the server did is left out. */
export async function findHistory(db: Db, club: OwnClub, page: Page): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select page.id, page.at, page.subject, page.subject_id, page.action, page.before, page.after, page.token_name,
      coalesce(u.full_name, f.full_name) as by, coalesce(u.role = 'sudo', false) as is_by_operator,
      page.event_id, coalesce(e.name, gone.name) as event_name, e.id is not null as is_event_there, e.currency, e.time_zone,
      r.name as attendee, x.name as voucher, coalesce(m.full_name, fm.full_name) as member
    from (${pageOf(club, page)}) page
    left join users u on u.id = page.user_id
    left join former_users f on f.id = page.user_id and f.club_id = page.club_id
    left join events e on e.id = page.event_id and e.club_id = page.club_id and e.removed_at is null
    -- What a removed event was called is in the row of its removal.
    left join lateral (
      select c.before ->> 'name' as name, c.club_id from changes c
      where e.id is null and c.subject = 'event' and c.subject_id = page.event_id and c.action = 'removed' limit 1
    ) gone on gone.club_id = page.club_id
    left join registrations r on page.subject in ('registration', 'checkin') and r.id = page.subject_id and r.event_id = e.id
    left join extras x on page.subject = 'extras' and x.id = page.subject_id and x.event_id = e.id
    left join users m on page.subject = 'user' and m.id = page.subject_id and m.club_id = page.club_id
    left join former_users fm on page.subject = 'user' and fm.id = page.subject_id and fm.club_id = page.club_id
    order by page.id desc
  `.execute(db)
  return rows
}

/** Before any id. */
const END = Number.MAX_SAFE_INTEGER

/** The rows of a page of the log. With one filter along the index for it (`022-history`), with several along one that the planner chooses. */
function pageOf({ id: clubId }: OwnClub, { filters, before, limit }: Page): RawBuilder<unknown> {
  const { by, eventId, subject } = filters
  const club = { column: sql`club_id`, value: sql`${clubId}` }
  const named = subject === undefined || subject === 'money' ? undefined : loggedAs[subject]
  const wanted = [
    ...(by === undefined ? [] : [{ column: sql`user_id`, value: sql`by_whom.id` }]),
    ...(eventId === undefined ? [] : [{ column: sql`event_id`, value: sql`${eventId}` }]),
    ...(named === undefined ? [] : [{ column: sql`subject`, value: sql`${named}` }]),
  ]
  const isMoney = sql`action in ('refund', 'refunds tried again')`
  const shown = [sql`user_id is not null`, ...(subject === 'money' ? [isMoney] : [])]
  const end = before ?? END
  const rows =
    wanted.length > 1 || (wanted.length === 1 && subject === 'money')
      ? chosenByPlanner([club, ...wanted], shown, end)
      : alongIndex([club, ...wanted], shown, end)
  if (by === undefined) return sql`${rows} limit ${limit}`
  const people =
    by === 'operator' ? sql`select id from users where role = 'sudo'` : sql`select ${Number(by)}::int as id`
  return sql`
    select found.* from (${people}) by_whom cross join lateral (${rows} limit ${limit}) found order by found.id desc limit ${limit}
  `
}

interface Equal {
  column: RawBuilder<unknown>
  value: RawBuilder<unknown>
}

/**
 * Rows with these values, latest first, in the order of the index on these columns and the id. As a comparison of rows, so that no other
 * index has that order: without statistics, or for a club whose changes are old, the planner would read the whole log otherwise.
 */
function alongIndex(equal: readonly Equal[], others: readonly RawBuilder<unknown>[], end: number) {
  const columns = sql.join(equal.map(({ column }) => column))
  const values = sql.join(equal.map(({ value }) => value))
  const order = sql.join(equal.map(({ column }) => sql`${column} desc`))
  const conditions = [sql`(${columns}, id) < (${values}, ${end})`, sql`(${columns}) >= (${values})`, ...others]
  // The index by event has only rows that have one.
  const present = equal.map(({ column }) => sql`${column} is not null`)
  return sql`select * from changes where ${sql.join([...conditions, ...present], sql` and `)} order by ${order}, id desc`
}

function chosenByPlanner(equal: readonly Equal[], others: readonly RawBuilder<unknown>[], end: number) {
  const conditions = [...equal.map(({ column, value }) => sql`${column} = ${value}`), sql`id < ${end}`, ...others]
  return sql`select * from changes where ${sql.join(conditions, sql` and `)} order by id desc`
}

const loggedAs: Readonly<Record<Exclude<HistorySubject, 'money'>, ChangeTable['subject']>> = {
  events: 'event',
  forms: 'form',
  vouchers: 'extras',
  attendees: 'registration',
  'check-ins': 'checkin',
  team: 'user',
  club: 'club',
}

/** The names of these events, as far as they are the club's. */
export async function findEventNames(db: Db, club: OwnClub, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('events')
    .select(['id', 'name'])
    .where('clubId', '=', club.id)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where('removedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Everybody in the club's team, then those who have left it, by name. */
export async function findPeople(db: Db, club: OwnClub) {
  const { rows } = await sql<{ id: number; name: string; hasLeft: boolean }>`
    select id, full_name as name, false as has_left from users where club_id = ${club.id} and invited_until is null
    union all select id, full_name, true from former_users where club_id = ${club.id}
    order by has_left, name, id
  `.execute(db)
  return rows
}
