import type { Payload } from '../../contract/endpoint.ts'
import { HISTORY_PAGE, type HistoryEntry, type historyApi } from '../../contract/history.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { OwnClub } from '../access/own-club.ts'
import type { Db } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { type Filters, findEventNames, findHistory } from './queries.ts'
import { entryOf, eventIdsIn } from './words.ts'

interface Asked {
  filters: Filters
  /** Only entries older than this one. */
  before: number | null
}

/** A page of a club's history, latest first. */
export async function listHistory(
  { db }: Deps,
  club: OwnClub,
  { filters, before }: Asked,
  language: Language,
): Promise<Payload<typeof historyApi.getHistory>> {
  // One more than shown tells whether there is a next page.
  const found = await readHistory(db, club, { filters, before, limit: HISTORY_PAGE + 1 }, language)
  const entries = found.slice(0, HISTORY_PAGE)
  return {
    entries,
    timeZone: club.timeZone,
    next: found.length > HISTORY_PAGE ? (entries.at(-1)?.id ?? null) : null,
  }
}

/** Entries of the history in this language. */
export async function readHistory(
  db: Db,
  club: OwnClub,
  page: Asked & { limit: number },
  language: Language,
): Promise<HistoryEntry[]> {
  const rows = await findHistory(db, club, page)
  const names = await findEventNames(db, club, eventIdsIn(rows))
  return inLanguage(language, () => rows.map((row) => entryOf(row, club, names)))
}
