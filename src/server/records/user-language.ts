import { languageFor } from '../../contract/values/languages.ts'
import { languages } from '../../texts/generated/languages.ts'
import { isLanguage, type Language } from '../../texts/language.ts'
import type { Db, UserRow } from '../db/schema.ts'
import { readClub } from './shared-reads.ts'

/** The language of mails to a user: the one they chose, else their club's main one, else English. */
export async function languageOfUser(db: Db, { language, clubId }: UserRow): Promise<Language> {
  if (isLanguage(language)) return language
  const club = clubId === null ? undefined : await readClub(db, clubId)
  return club ? languageFor(null, club) : languages[0]
}
