import Negotiator from 'negotiator'
import { languages } from '../../texts/generated/languages.ts'
import { isLanguage, type Language } from '../../texts/language.ts'

const [source] = languages
/** Longer ones are not from browsers: matching takes time that grows with the length. */
const LONGEST = 200
/** Browsers of one language send few different headers; what strangers send may not fill the memory. */
const MOST_KNOWN = 500
const known = new Map<string, Language>()

/**
 * The language that somebody wants most among these, by the header `Accept-Language` (RFC 9110, section 12.5.4); the first one if theirs are
 * not among them.
 */
export function languageOf(header: string | undefined, among: readonly Language[] = languages): Language {
  const [first = source] = among
  if (header === undefined || header.length > LONGEST) return first
  const key = `${among} ${header}`
  const before = known.get(key)
  if (before) return before
  const best = new Negotiator({ headers: { 'accept-language': header } }).language([...among])
  const language = isLanguage(best) ? best : first
  if (known.size === MOST_KNOWN) known.clear()
  known.set(key, language)
  return language
}

/** The same among all of ours, but null for somebody who names none of them: who says nothing has not asked for English. */
export function askedLanguageOf(header: string | undefined): Language | null {
  const language = languageOf(header)
  const isNamed = header?.split(',').some((range) => range.trim().toLowerCase().startsWith(language.toLowerCase()))
  return isNamed ? language : null
}
