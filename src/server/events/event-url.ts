import type { Language } from '../../texts/language.ts'

/** The public address of a club's page; `baseUrl` has no slash at the end. */
export function clubUrl(baseUrl: string, clubId: number): string {
  return `${baseUrl}/club/${clubId}/event`
}

/** The public address of an event's page. */
export function eventUrl(baseUrl: string, { id, clubId }: { id: number; clubId: number }): string {
  return `${clubUrl(baseUrl, clubId)}/${id}`
}

/** The address of a page in this language. */
export function inLanguageAt(url: string, language: Language): string {
  return `${url}?lang=${language}`
}
