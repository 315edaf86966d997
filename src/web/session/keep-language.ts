import { currentLanguage, isLanguage } from '../../texts/language.ts'

const YEAR_S = 365 * 24 * 60 * 60

/**
 * Has the next pages come in this user's language, by the cookie in which visitors' choices are kept too: see `page-language.ts` of the
 * server. Returns whether this page is in it already; so it is for somebody who never chose.
 */
export function keepLanguage(language: string | null): boolean {
  if (!isLanguage(language)) return true
  const secure = window.location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some of the browsers we support.
  document.cookie = `language=${language}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`
  return language === currentLanguage()
}
