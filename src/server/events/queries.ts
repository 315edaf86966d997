import { type Insertable, sql, type Updateable } from 'kysely'
import type { Language } from '../../texts/language.ts'
import type { Db, EventRow, Tx } from '../db/schema.ts'
import type { EventTable } from '../db/tables/events.ts'

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

export async function insertEvent(tx: Tx, event: Insertable<EventTable>): Promise<EventRow> {
  return tx.insertInto('events').values(event).returningAll().executeTakeFirstOrThrow()
}

export async function updateEvent(tx: Tx, id: number, edit: Updateable<EventTable>): Promise<EventRow> {
  return tx
    .updateTable('events')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes a locked event invisible to everybody; its rows are deleted afterwards. */
export async function markEventRemoved(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('events').set({ removedAt: now }).where('id', '=', id).execute()
}

/** The stored HTML of an event's description, if it was made from the text with this hash. */
export async function findDescriptionHtml(db: Db, eventId: number, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('eventDescriptions')
    .select('html')
    .where('eventId', '=', eventId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.html
}

interface NewHtml {
  eventId: number
  /** The language that the text was translated into; null for the main one. */
  language: Language | null
  markdown: string
  hash: string
  html: string
}

/** Stores the HTML of an event's description, unless the event is gone or has another text by now. */
export async function storeDescriptionHtml(
  db: Db,
  { eventId, language, markdown, hash, html }: NewHtml,
): Promise<void> {
  await sql`
    insert into event_descriptions (event_id, language, hash, html)
    select id, ${language ?? ''}, ${hash}, ${html} from events
    where id = ${eventId}
      and ${markdown} = case when ${language}::text is null then description else translations -> ${language}::text ->> description end
    for key share
    on conflict (event_id, language) do update set hash = excluded.hash, html = excluded.html
  `.execute(db)
}

/** Saves the texts of a locked event in other languages. */
export async function updateTranslations(
  tx: Tx,
  id: number,
  translated: Pick<EventRow, 'translations' | 'translatedPlaces'>,
): Promise<void> {
  await tx.updateTable('events').set(translated).where('id', '=', id).execute()
}

/** Of a sitemap's 50,000 addresses (https://www.sitemaps.org/protocol.html). */
const MOST_LISTED = 20_000

/** The clubs that let visitors find them, and their published events that are not over. */
export async function listListed(db: Db, now: Date) {
  const listed = db.selectFrom('clubs').where('listed', '=', true).where('removedAt', 'is', null)
  const clubs = await listed.select('id').orderBy('id').limit(MOST_LISTED).execute()
  const events = await db
    .selectFrom('events')
    .select(['id', 'clubId'])
    .where('clubId', 'in', listed.select('id'))
    .where('status', '=', 'published')
    .where('removedAt', 'is', null)
    .where('endsAt', '>', now)
    .orderBy('startsAt')
    .limit(MOST_LISTED)
    .execute()
  return { clubs: clubs.map(({ id }) => id), events }
}
