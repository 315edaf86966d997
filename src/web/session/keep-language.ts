import { CHOICE_COOKIE } from '../../contract/values/languages.ts'
import { currentLanguage, isLanguage, type Language } from '../../texts/language.ts'

/** Has the next pages come in this user's language. Returns whether this page is in it, which is also true for somebody who never chose one. */
export function keepLanguage(language: string | null): boolean {
  if (!isLanguage(language)) return true
  const { name, maxAge, path, sameSite } = CHOICE_COOKIE
  const secure = window.location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some of the browsers we support.
  document.cookie = `${name}=${language}; path=${path}; max-age=${maxAge}; samesite=${sameSite}${secure}`
  return language === currentLanguage()
}

/** The language that somebody chose on this device, else that of this page. */
export function chosenLanguage(): Language {
  const chosen = new RegExp(`(?:^|;\\s*)${CHOICE_COOKIE.name}=([\\w-]+)`).exec(document.cookie)?.[1]
  return isLanguage(chosen) ? chosen : currentLanguage()
}
