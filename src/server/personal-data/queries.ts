import { type RawBuilder, sql } from 'kysely'
import type { PersonalRecord } from '../../contract/personal-data.ts'
import type { OwnClub } from '../access/own-club.ts'
import { matchesPerson } from '../attendees/queries.ts'
import { findsPerson, parseSearch, type Search } from '../attendees/search.ts'
import { hidden } from '../db/planner.ts'
import type { Db, Tx } from '../db/schema.ts'
import { isMoneyLeft, isMoneyOpen } from '../retention/queries.ts'

/** The ids of records by their kind. */
export interface RecordIds {
  registrations: readonly number[]
  holders: readonly { registrationId: number; at: Date }[]
  conflicts: readonly string[]
  codes: readonly number[]
}

interface Wanted {
  now: Date
  /** Null for all. */
  most: number | null
  /** The condition for a registration `r`. */
  registration: RawBuilder<unknown>
  others: Omit<RecordIds, 'registrations'>
}

/** What a club keeps about people whom the search finds, latest first. Every word must be part of name, address or phone number. */
export async function findRecords(
  db: Db,
  club: OwnClub,
  { now, search, most }: { now: Date; search: string; most: number },
): Promise<PersonalRecord[]> {
  const asked = parseSearch(search)
  const others = (await findOthers(db, club)).filter((person) => findsPerson(asked, person))
  return select(db, club, {
    ...{ now, most },
    registration: sql`r.id = any(${idsFound(club, asked)})`,
    others: {
      holders: others.flatMap(({ kind, registrationId, at }) =>
        kind === 'holder' && registrationId !== null ? [{ registrationId, at }] : [],
      ),
      conflicts: others.flatMap(({ kind, id }) => (kind === 'conflict' ? [id] : [])),
      codes: others.flatMap(({ kind, id }) => (kind === 'code' ? [Number(id)] : [])),
    },
  })
}

/**
 * An array of the ids of the club's registrations that the search finds. It reads each event's part of the index `registrations_names`, which has
 * all columns that the search needs. With a plain join of the events, the planner would read the registrations of all clubs.
 */
function idsFound(club: OwnClub, asked: Search): RawBuilder<unknown> {
  return sql`array(
    select found.id from events e cross join lateral (
      select r.id from registrations r where r.event_id = e.id and ${matchesPerson(asked)} offset 0
    ) found where e.club_id = ${club.id} and e.removed_at is null
  )`
}

interface Other {
  kind: Exclude<PersonalRecord['kind'], 'registration'>
  /** Of a conflict or a code. */
  id: string
  /** Of a former holder. */
  registrationId: number | null
  at: Date
  name: string
  email: string
  phone: string
}

/**
 * All former holders, people who got no place at the door, and notes of codes that the club keeps. Few, beside registrations; they are
 * searched as those are, by a text that only the application can make.
 */
async function findOthers(db: Db, club: OwnClub): Promise<Other[]> {
  const { rows } = await sql<Other>`
    select 'holder' as kind, '' as id, h.registration_id, h.handed_on_at as at, h.name, h.email, '' as phone
    from events e join registrations r on r.event_id = e.id join former_holders h on h.registration_id = r.id
    where e.club_id = ${club.id} and e.removed_at is null and r.handed_on_at is not null and h.name <> ''
    union all
    select 'conflict', s.scan_id::text, null, s.scanned_at, s.walk_in ->> 'name', s.walk_in ->> 'email', s.walk_in ->> 'phone'
    from events e join scan_conflicts s on s.event_id = e.id
    where e.club_id = ${club.id} and e.removed_at is null and s.walk_in ->> 'name' <> ''
    union all
    select 'code', d.id::text, null, d.created_at, d.note, '', ''
    from events e join codes d on d.event_id = e.id where e.club_id = ${club.id} and e.removed_at is null and d.note <> ''
  `.execute(db)
  return rows
}

/** Those of these records that are the club's and hold anything, latest first. */
export async function findRecordsByIds(db: Db, club: OwnClub, now: Date, ids: RecordIds): Promise<PersonalRecord[]> {
  const { registrations, ...others } = ids
  return select(db, club, { now, most: null, registration: sql`r.id = any(${[...registrations]}::int[])`, others })
}

const isHolder = (holders: RecordIds['holders']) => sql`
  exists (
    select from unnest(${holders.map(({ registrationId }) => registrationId)}::int[], ${holders.map(({ at }) => at)}::timestamptz[]) as w (id, at)
    where w.id = h.registration_id and date_trunc('milliseconds', w.at) = date_trunc('milliseconds', h.handed_on_at)
  )
`
/** The registrations of former holders, by which they are found. */
const ofHolders = (holders: RecordIds['holders']) => sql`
  h.registration_id = any(${holders.map(({ registrationId }) => registrationId)}::int[]) and ${isHolder(holders)}
`
/** Whether the former holder `each` paid for the ticket or the order of `r`, and not somebody who had it before. */
const hasPaid = sql`(
  coalesce(r.order_id, r.id) = r.id
  and not exists (select from former_holders f where f.registration_id = r.id and f.handed_on_at < each.at)
)`

async function select(db: Db, club: OwnClub, wanted: Wanted): Promise<PersonalRecord[]> {
  const { now, most, registration } = wanted
  const { holders, conflicts, codes } = wanted.others
  const isUpcoming = sql`(e.status <> 'cancelled' and e.ends_at > ${now})`
  const others = sql`select from registrations o where o.order_id = r.id and o.status <> 'cancelled'`
  // A mail is written when it is sent, from what is deleted here.
  const isToBeTold = sql`(
    exists (select from jobs j where j.event_id = e.id and j.kind <> 'erase event')
    or exists (
      select from mails m where m.registration_id = r.id and m.status = 'queued'
        and (each.kind = 'registration' and m.recipient is null or lower(m.recipient) = lower(each.email))
    )
  )`
  // Why each is kept is decided for those alone that are shown.
  const { rows } = await sql<PersonalRecord>`
    select each.key, each.kind, each.name, each.email, each.phone, each.event_id, each.at, each.status, e.name as event_name, e.time_zone,
      case
        when r.id is null then null
        when each.kind = 'registration' and ${isUpcoming} and r.status <> 'cancelled' then 'upcoming'
        when each.kind = 'registration' and ${isUpcoming} and exists (${others}) then 'order'
        when each.kind = 'holder' and ${isUpcoming} and ${hasPaid} and ${isMoneyLeft} then 'paid'
        when ${isMoneyOpen} then 'money'
        when ${isToBeTold} then 'mail'
      end as kept
    from (
      select 'registration:' || r.id as key, 'registration' as kind, r.id, r.name, r.email, r.phone, r.event_id, r.registration_time as at,
        r.status::text
      from registrations r join events e on e.id = ${hidden('r.event_id')}
      where r.erased_at is null and e.club_id = ${club.id} and e.removed_at is null and ${registration}
      union all
      select 'holder:' || h.registration_id || ':' || floor(extract(epoch from h.handed_on_at) * 1000)::bigint, 'holder', r.id, h.name, h.email,
        '', r.event_id, h.handed_on_at, null
      from former_holders h join registrations r on r.id = h.registration_id join events e on e.id = r.event_id
      where h.name <> '' and e.club_id = ${club.id} and e.removed_at is null and ${ofHolders(holders)}
      union all
      select 'conflict:' || s.scan_id, 'conflict', null, s.walk_in ->> 'name', s.walk_in ->> 'email', s.walk_in ->> 'phone', s.event_id,
        s.scanned_at, null
      from scan_conflicts s join events e on e.id = s.event_id
      where s.walk_in ->> 'name' <> '' and e.club_id = ${club.id} and e.removed_at is null and s.scan_id = any(${[...conflicts]}::uuid[])
      union all
      select 'code:' || d.id, 'code', null, d.note, '', '', d.event_id, d.created_at, null
      from codes d join events e on e.id = d.event_id
      where d.note <> '' and e.club_id = ${club.id} and e.removed_at is null and d.id = any(${[...codes]}::int[])
      order by at desc, key limit ${most}
    ) each join events e on e.id = each.event_id left join registrations r on r.id = each.id
    order by each.at desc, each.key
  `.execute(db)
  return rows
}

/** How many of these records of the club hold nothing any more. */
export async function countErased(
  db: Db,
  club: OwnClub,
  { registrations, holders, conflicts, codes }: RecordIds,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select r.event_id from registrations r where r.id = any(${[...registrations]}::int[]) and r.erased_at is not null
      union all
      select r.event_id from former_holders h join registrations r on r.id = h.registration_id
      where h.name = '' and h.email = '' and ${ofHolders(holders)}
      union all
      select s.event_id from scan_conflicts s where s.scan_id = any(${[...conflicts]}::uuid[]) and s.walk_in ->> 'name' = ''
      union all
      select d.event_id from codes d where d.id = any(${[...codes]}::int[]) and d.note = ''
    ) each join events e on e.id = each.event_id where e.club_id = ${club.id} and e.removed_at is null
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Locks what these records of the club depend on: their events, then what phones noted, then their registrations with all others of the same
 * orders. Each in the order of its ids.
 */
export async function lockRecords(
  tx: Tx,
  club: OwnClub,
  { registrations, holders, conflicts, codes }: RecordIds,
): Promise<void> {
  const ids = sql`any(${[...registrations, ...holders.map(({ registrationId }) => registrationId)]}::int[])`
  const scanIds = sql`any(${[...conflicts]}::uuid[])`
  await sql`
    select from events where club_id = ${club.id} and id in (
      select event_id from registrations where id = ${ids}
      union select event_id from scan_conflicts where scan_id = ${scanIds}
      union select event_id from codes where id = any(${[...codes]}::int[])
    ) order by id for no key update
  `.execute(tx)
  await sql`
    select from scan_conflicts s join events e on e.id = s.event_id where s.scan_id = ${scanIds} and e.club_id = ${club.id}
    order by s.scan_id for update of s
  `.execute(tx)
  await sql`
    select from registrations where club_id = ${club.id} and (
      id = ${ids} or order_id = any(array(select order_id from registrations where id = ${ids} and order_id is not null))
    ) order by id for no key update
  `.execute(tx)
}

/** Deletes who had these tickets before, what phones at the door noted, and notes of codes. The records must be the club's. */
export async function eraseOthers(tx: Tx, { holders, conflicts, codes }: RecordIds): Promise<void> {
  if (holders.length > 0) {
    await sql`
      delete from mail_addresses where address_hash in (
        select sha256(convert_to(lower(h.email), 'UTF8')) from former_holders h where h.email <> '' and ${ofHolders(holders)}
      )
    `.execute(tx)
    await sql`
      delete from mails m using former_holders h
      where m.registration_id = h.registration_id and lower(m.recipient) = lower(h.email) and ${ofHolders(holders)}
    `.execute(tx)
    // What was sent to Stripe names whoever paid.
    await sql`
      update payments p set request = null from former_holders h where p.registration_id = h.registration_id and ${ofHolders(holders)}
    `.execute(tx)
    await sql`update former_holders h set name = '', email = '' where ${ofHolders(holders)}`.execute(tx)
  }
  await sql`
    update scan_conflicts set walk_in = '{"name":"","email":"","phone":""}' where scan_id = any(${[...conflicts]}::uuid[])
  `.execute(tx)
  await sql`update codes set note = '', version = version + 1 where id = any(${[...codes]}::int[])`.execute(tx)
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
