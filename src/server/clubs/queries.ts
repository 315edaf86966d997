import { type Insertable, sql, type Updateable } from 'kysely'
import { MOST_FOUND } from '../../contract/club.ts'
import type { Alert } from '../../contract/clubs.ts'
import { disputesOver } from '../../contract/payments.ts'
import { foldText } from '../../contract/values/fold-text.ts'
import type { ClubRow, Db, Tx } from '../db/schema.ts'
import type { ClubTable } from '../db/tables/events.ts'
import type { ImageFile } from '../images/remove-images.ts'
import { isOwed, isStuck } from '../payments/failed-refund-queries.ts'

/** The clubs that let visitors find them and have this text in their name or place, ignoring case and accents, by name. */
export async function findListed(db: Db, text: string) {
  const wanted = foldText(text)
  const clubs = db.selectFrom('clubs').where('listed', '=', true).where('removedAt', 'is', null)
  const listed = await clubs.select(['id', 'name', 'location', 'logo']).orderBy('name').orderBy('id').execute()
  return listed.filter(({ name, location }) => foldText(`${name} ${location}`).includes(wanted)).slice(0, MOST_FOUND)
}

/** All clubs, newest first, each with its number of events, admins and live registrations, and how it is doing. */
export async function listClubs(db: Db, { now, soon, recently }: { now: Date; soon: Date; recently: Date }) {
  const events = db
    .selectFrom('events')
    .where('removedAt', 'is', null)
    .select(({ fn }) => ['clubId', fn.countAll<number>().as('events'), fn.sum<number>('registrationCount').as('seats')])
    .groupBy('clubId')
    .as('held')
  const admins = db
    .selectFrom('users')
    .where('passMay', 'is', null)
    .select(({ fn }) => ['clubId', fn.countAll<number>().as('admins')])
    .groupBy('clubId')
    .as('staff')
  const coming = sql<{ clubId: number; name: string; startsAt: Date }>`(
    select distinct on (club_id) club_id, name, starts_at from events
    where removed_at is null and status = 'published' and starts_at > ${now} order by club_id, starts_at, id
  )`.as<'coming'>('coming')
  const recent = db
    .selectFrom('eventCounts')
    .innerJoin('events', 'events.id', 'eventCounts.eventId')
    .where('events.removedAt', 'is', null)
    .where('eventCounts.at', '>=', recently)
    .select(({ fn }) => ['events.clubId', fn.sum<number>('eventCounts.registrations').as('made')])
    .groupBy('events.clubId')
    .as('recent')
  const needs = sql<{ clubId: number; needs: number; mails: number }>`(
    select club_id, count(*)::int as needs, coalesce(sum(count) filter (where kind = 'mails failed'), 0)::int as mails
    from (${alertsOfAll(now, soon)}) alerts group by club_id
  )`.as<'needs'>('needs')
  const rows = await db
    .selectFrom('clubs')
    .leftJoin(events, 'held.clubId', 'clubs.id')
    .leftJoin(admins, 'staff.clubId', 'clubs.id')
    .leftJoin(coming, 'coming.clubId', 'clubs.id')
    .leftJoin(recent, 'recent.clubId', 'clubs.id')
    .leftJoin(needs, 'needs.clubId', 'clubs.id')
    .where('clubs.removedAt', 'is', null)
    .selectAll('clubs')
    .select(({ fn, lit }) => [
      fn.coalesce('held.events', lit(0)).as('eventCount'),
      fn.coalesce('held.seats', lit(0)).as('registrationCount'),
      fn.coalesce('staff.admins', lit(0)).as('adminCount'),
      fn.coalesce('recent.made', lit(0)).as('recentCount'),
      fn.coalesce('needs.mails', lit(0)).as('failedMailCount'),
      fn.coalesce('needs.needs', lit(0)).as('needCount'),
      'coming.name as nextName',
      'coming.startsAt as nextStartsAt',
    ])
    .orderBy('clubs.id', 'desc')
    .execute()
  return rows.map(({ nextName: name, nextStartsAt: startsAt, ...row }) => ({
    ...row,
    nextEvent: name === null || startsAt === null ? null : { name, startsAt },
  }))
}

export async function insertClub(tx: Tx, club: Insertable<ClubTable>): Promise<ClubRow> {
  return tx.insertInto('clubs').values(club).returningAll().executeTakeFirstOrThrow()
}

export async function updateClub(tx: Tx, id: number, edit: Updateable<ClubTable>): Promise<ClubRow> {
  return tx
    .updateTable('clubs')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Hides a locked club with its events, and disables its admins' accounts: deletes their sessions, their passwords, and their addresses,
 * with which they may sign up again.
 */
export async function markClubRemoved(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('events')
    .set({ removedAt: now })
    .where('clubId', '=', id)
    .where('removedAt', 'is', null)
    .execute()
  await tx.updateTable('clubs').set({ removedAt: now }).where('id', '=', id).execute()
  const admins = tx.selectFrom('users').select('id').where('clubId', '=', id)
  await tx.deleteFrom('sessions').where('userId', 'in', admins).execute()
  await tx.deleteFrom('passwordResets').where('userId', 'in', admins).execute()
  await tx
    .updateTable('users')
    .set({ email: sql<string>`'removed ' || id`, passwordHash: '' })
    .where('clubId', '=', id)
    .where('passMay', 'is', null)
    .execute()
}

/** The image files of a club and its admins. */
export async function listImagesOfClub(db: Db, clubId: number): Promise<ImageFile[]> {
  const clubs = await db.selectFrom('clubs').select(['logo', 'cover']).where('id', '=', clubId).execute()
  const users = await db.selectFrom('users').select('image').where('clubId', '=', clubId).execute()
  return [
    ...clubs.map(({ logo }) => ({ kind: 'club-logo' as const, file: logo })),
    ...clubs.map(({ cover }) => ({ kind: 'event-banner' as const, file: cover })),
    ...users.map(({ image }) => ({ kind: 'user' as const, file: image })),
  ]
}

/** The alerts of a club. */
export async function listAlerts(db: Db, clubId: number, now: Date, soon: Date): Promise<Alert[]> {
  const { rows } = await sql<Alert>`
    select kind, event_id, event_name, count from (${alertsOfAll(now, soon)}) alerts
    where club_id = ${clubId} order by 1 desc, 2
  `.execute(db)
  return rows
}

/**
 * Alerts of each event: mails that failed with none sent since, refunds that failed or that Stripe refuses for now, disputes that are open,
 * or lost while the ticket is still valid, conflicts at the door that nobody has looked at, a draft that starts before `soon`, no seat
 * left. A condition on the club reaches each part of it.
 */
const alertsOfAll = (now: Date, soon: Date) => sql`
  select m.club_id, 'mails failed' as kind, e.id as event_id, e.name as event_name, count(*)::int as count
  from mails m join registrations r on r.id = m.registration_id join events e on e.id = r.event_id
  where m.status = 'failed' and e.removed_at is null and e.ends_at > ${now} and not exists (
    select from mails newer
    where newer.registration_id = m.registration_id and newer.id > m.id and newer.status <> 'failed'
  )
  group by m.club_id, e.id, e.name
  union all
  select p.club_id, 'refunds failed', e.id, coalesce(e.name, ''), count(*)::int
  from refunds f join payments p on p.id = f.payment_id
    left join events e on e.id = p.event_id and e.removed_at is null
  where ${isStuck} or ${isOwed}
  group by p.club_id, e.id, e.name
  union all
  select p.club_id, 'disputes', e.id, e.name, count(distinct coalesce(p.lead_id, p.id))::int
  from payments p join events e on e.id = p.event_id left join registrations r on r.id = p.registration_id
  where e.removed_at is null and p.dispute is not null and (
    p.dispute <> all(${disputesOver}::text[])
    or p.dispute = 'lost' and r.status = 'confirmed' and e.status = 'published' and e.ends_at > ${now}
  )
  group by p.club_id, e.id, e.name
  union all
  select e.club_id, 'door conflicts', e.id, e.name, count(*)::int
  from scan_conflicts s join events e on e.id = s.event_id
  where e.removed_at is null and s.seen_at is null
  group by e.club_id, e.id, e.name
  union all
  select club_id, 'draft soon', id, name, 1 from events
  where removed_at is null and status = 'draft' and starts_at between ${now} and ${soon}
  union all
  select club_id, 'event full', id, name, 1 from events
  where removed_at is null and status = 'published' and starts_at > ${now} and registration_count + walk_in_places >= max_attendees
`
