import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, EventRow, EventTable, Tx } from '../db/schema.ts'

/** For a query of registrations: whether their event is there. One that is removed is not, though its rows may still be. */
export const isEventThere = sql<boolean>`exists (
  select from events where events.id = registrations.event_id and events.removed_at is null
)`

/** The event, unless it is removed; so for everything here that looks for events. */
export async function findEvent(db: Db, id: number): Promise<EventRow | undefined> {
  return db.selectFrom('events').selectAll().where('id', '=', id).where('removedAt', 'is', null).executeTakeFirst()
}

export async function findClubEvent(db: Db, clubId: number, id: number): Promise<EventRow | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id)
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
}

export async function findEvents(db: Db, ids: readonly number[]): Promise<EventRow[]> {
  return db.selectFrom('events').selectAll().where('id', 'in', ids).where('removedAt', 'is', null).execute()
}

/** The names of these events by id. */
export async function findEventNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('events').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** All events of a club, newest first. */
export async function listEvents(db: Db, clubId: number): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Published events of a club that end after the moment, soonest first. */
export async function listActiveEvents(db: Db, clubId: number, after: Date): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('clubId', '=', clubId)
    .where('status', '=', 'published')
    .where('removedAt', 'is', null)
    .where('endsAt', '>', after)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
}

export async function insertEvent(tx: Tx, event: Insertable<EventTable>): Promise<EventRow> {
  return tx.insertInto('events').values(event).returningAll().executeTakeFirstOrThrow()
}

/** The event's row, locked until the transaction ends: its seats and its state hold still. */
export async function lockEvent(tx: Tx, id: number): Promise<EventRow | undefined> {
  return (await lockEvents(tx, [id]))[0]
}

/** Several events' rows, locked in the order of their ids so that nobody waits in a circle. */
export async function lockEvents(tx: Tx, ids: readonly number[]): Promise<EventRow[]> {
  return tx
    .selectFrom('events')
    .selectAll()
    .where('id', 'in', ids)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateEvent(tx: Tx, id: number, edit: Updateable<EventTable>): Promise<EventRow> {
  return tx
    .updateTable('events')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks the rows of all events of a club, in the order of their ids. */
export async function lockEventsOfClub(tx: Tx, clubId: number): Promise<void> {
  await tx
    .selectFrom('events')
    .select('id')
    .where('clubId', '=', clubId)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Makes a locked event invisible to everybody; its rows are deleted afterwards. */
export async function markEventRemoved(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('events').set({ removedAt: now }).where('id', '=', id).execute()
}

/** Takes a seat of an event whose row is locked; false when none is left. */
export async function takeSeat(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('events')
    .set((eb) => ({ registrationCount: eb('registrationCount', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('maxAttendees', 'is', null), eb('registrationCount', '<', eb.ref('maxAttendees'))]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function freeSeats(tx: Tx, id: number, count: number): Promise<void> {
  await tx
    .updateTable('events')
    .set((eb) => ({ registrationCount: eb('registrationCount', '-', count) }))
    .where('id', '=', id)
    .execute()
}

/** The HTML kept of an event's description, if it was made of the text with this hash. */
export async function findDescriptionHtml(db: Db, eventId: number, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('eventDescriptions')
    .select('html')
    .where('eventId', '=', eventId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.html
}

/** Keeps the HTML of an event's description, unless the event is gone or has another text by now. */
export async function keepDescriptionHtml(
  db: Db,
  { eventId, markdown, hash, html }: { eventId: number; markdown: string; hash: string; html: string },
): Promise<void> {
  await sql`
    insert into event_descriptions (event_id, hash, html)
    select id, ${hash}, ${html} from events where id = ${eventId} and description = ${markdown} for key share
    on conflict (event_id) do update set hash = excluded.hash, html = excluded.html
  `.execute(db)
}
