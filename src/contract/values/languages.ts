import { languages } from '../../texts/generated/languages.ts'
import { isLanguage, type Language } from '../../texts/language.ts'

/** The cookie of a language that somebody chose: kept for a year. */
export const CHOICE_COOKIE = { name: 'language', maxAge: 365 * 24 * 60 * 60, path: '/', sameSite: 'lax' } as const

/** The languages of a club as stored, which may name one that Turnout no longer speaks. */
interface Offers {
  /** The main one. */
  language: string
  languages: readonly string[]
}

/** The languages that a club's pages are offered in, its main one first. */
export function offeredBy({ language, languages: others }: Offers): Language[] {
  const offered = [...new Set([language, ...others])].filter(isLanguage)
  return offered.length > 0 ? offered : [languages[0]]
}

/** The language for somebody who asked for this one: the club's main one if it does not offer it, or nobody asked. */
export function languageFor(asked: string | null, club: Offers): Language {
  const [main, ...others] = offeredBy(club)
  return others.find((language) => language === asked) ?? main ?? languages[0]
}
