import { type RawBuilder, sql } from 'kysely'
import type { PersonalRecord } from '../../contract/personal-data.ts'
import type { OwnClub } from '../access/own-club.ts'
import { matchesSearch } from '../attendees/queries.ts'
import type { Db, Tx } from '../db/schema.ts'
import { isMoneyOpen } from '../retention/queries.ts'

/** The ids of records by their kind. */
export interface RecordIds {
  registrations: readonly number[]
  holders: readonly { registrationId: number; at: Date }[]
  conflicts: readonly string[]
}

interface Wanted {
  now: Date
  /** Null for all. */
  most: number | null
  /** The conditions for a registration `r`, a former holder `h` and a conflict `s`. */
  registration: RawBuilder<unknown>
  holder: RawBuilder<unknown>
  conflict: RawBuilder<unknown>
}

/** What a club keeps about people whom the search finds, latest first. Every word must be part of name, address or phone number. */
export async function findRecords(
  db: Db,
  club: OwnClub,
  { now, search, most }: { now: Date; search: string; most: number },
): Promise<PersonalRecord[]> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const all = (text: RawBuilder<unknown>) =>
    sql.join(
      words.map((word) => sql`strpos(lower(${text}), ${word}) > 0`),
      sql` and `,
    )
  return select(db, club, {
    ...{ now, most },
    registration: matchesSearch(search),
    holder: all(sql`h.name || ' ' || h.email`),
    conflict: all(sql`concat_ws(' ', s.walk_in ->> 'name', s.walk_in ->> 'email', s.walk_in ->> 'phone')`),
  })
}

/** Those of these records that are the club's and hold anything, latest first. */
export async function findRecordsByIds(db: Db, club: OwnClub, now: Date, ids: RecordIds): Promise<PersonalRecord[]> {
  const { registrations, holders, conflicts } = ids
  return select(db, club, {
    ...{ now, most: null },
    registration: sql`r.id = any(${[...registrations]}::int[])`,
    holder: isHolder(holders),
    conflict: sql`s.scan_id = any(${[...conflicts]}::uuid[])`,
  })
}

const isHolder = (holders: RecordIds['holders']) => sql`
  exists (
    select from unnest(${holders.map(({ registrationId }) => registrationId)}::int[], ${holders.map(({ at }) => at)}::timestamptz[]) as w (id, at)
    where w.id = h.registration_id and w.at = date_trunc('milliseconds', h.handed_on_at)
  )
`

async function select(
  db: Db,
  club: OwnClub,
  { now, most, registration, holder, conflict }: Wanted,
): Promise<PersonalRecord[]> {
  const money = sql`case when ${isMoneyOpen} then 'money' end`
  // The others of an order need its page as long as they have places.
  const isUpcoming = sql`(
    e.status <> 'cancelled' and e.ends_at > ${now} and (
      r.status <> 'cancelled' or exists (select from registrations o where o.order_id = r.order_id and o.status <> 'cancelled')
    )
  )`
  const { rows } = await sql<PersonalRecord>`
    select each.*, e.name as event_name, e.time_zone from (
      select 'registration:' || r.id as key, 'registration' as kind, r.name, r.email, r.phone, r.event_id, r.registration_time as at, r.status::text,
        case when ${isUpcoming} then 'upcoming' else ${money} end as kept
      from registrations r join events e on e.id = r.event_id
      where r.erased_at is null and r.club_id = ${club.id} and e.removed_at is null and ${registration}
      union all
      select 'holder:' || h.registration_id || ':' || floor(extract(epoch from h.handed_on_at) * 1000)::bigint, 'holder', h.name, h.email, '', r.event_id,
        h.handed_on_at, null, ${money}
      from former_holders h join registrations r on r.id = h.registration_id join events e on e.id = r.event_id
      where r.club_id = ${club.id} and h.name <> '' and e.removed_at is null and ${holder}
      union all
      select 'conflict:' || s.scan_id, 'conflict', s.walk_in ->> 'name', s.walk_in ->> 'email', s.walk_in ->> 'phone', s.event_id, s.scanned_at, null, null
      from scan_conflicts s join events e on e.id = s.event_id
      where e.club_id = ${club.id} and s.walk_in ->> 'name' <> '' and e.removed_at is null and ${conflict}
    ) each join events e on e.id = each.event_id
    order by at desc, key limit ${most}
  `.execute(db)
  return rows
}

/** Locks registrations of the club, in the order of their ids. */
export async function lockRecords(tx: Tx, club: OwnClub, { registrations, holders }: RecordIds): Promise<void> {
  const ids = [...registrations, ...holders.map(({ registrationId }) => registrationId)]
  await sql`
    select from registrations where id = any(${ids}::int[]) and club_id = ${club.id} order by id for no key update
  `.execute(tx)
}

/** Deletes who had these tickets before, and what phones at the door noted. The records must be the club's. */
export async function eraseOthers(tx: Tx, { holders, conflicts }: RecordIds): Promise<void> {
  if (holders.length > 0) {
    await sql`
      delete from mail_addresses where address_hash in (
        select sha256(convert_to(lower(h.email), 'UTF8')) from former_holders h where h.email <> '' and ${isHolder(holders)}
      )
    `.execute(tx)
    await sql`
      delete from mails m using former_holders h
      where m.registration_id = h.registration_id and lower(m.recipient) = lower(h.email) and ${isHolder(holders)}
    `.execute(tx)
    // What was sent to Stripe names whoever paid.
    await sql`
      update payments p set request = null from former_holders h where p.registration_id = h.registration_id and ${isHolder(holders)}
    `.execute(tx)
    await sql`update former_holders h set name = '', email = '' where ${isHolder(holders)}`.execute(tx)
  }
  await sql`
    update scan_conflicts set walk_in = '{"name":"","email":"","phone":""}' where scan_id = any(${[...conflicts]}::uuid[])
  `.execute(tx)
}

/** The answers that phones noted of people who got no place, by the keys of the conflicts. */
export async function findNoted(
  db: Db,
  conflicts: RecordIds['conflicts'],
): Promise<{ key: string; question: string; answer: string | string[] }[]> {
  const { rows } = await sql<{ key: string; question: string; answer: string | string[] }>`
    select 'conflict:' || s.scan_id as key, q.text as question, each -> 'answer' as answer
    from scan_conflicts s cross join lateral jsonb_array_elements(coalesce(s.walk_in -> 'others', '[]')) as each
    join form_questions q on q.id = (each ->> 'qId')::int and q.event_id = s.event_id
    where s.scan_id = any(${[...conflicts]}::uuid[]) and each ? 'answer' order by q.position, q.id
  `.execute(db)
  return rows
}
