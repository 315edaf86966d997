import type { FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'
import { CHOICE_COOKIE } from '../../../contract/values/languages.ts'
import { languages } from '../../../texts/generated/languages.ts'
import type { Language } from '../../../texts/language.ts'
import { languageOf } from '../request-language.ts'

/** The cookie with the language of the link that somebody came by, for the pages they open from there. */
const LINK_COOKIE = 'linkLanguage'

/** The languages of a page. */
export interface PageLanguages {
  /** Those it is offered in, the main one first. */
  offered: readonly Language[]
  /** The language of the ticket that it shows; null on all other pages. */
  own: Language | null
}

/** The languages of a page that belongs to no club. */
export const everyLanguage: PageLanguages = { offered: languages, own: null }

/** The language in which somebody gets a page: the one they chose, else that of the link, else the ticket's, else their browser's. */
export function pageLanguage(request: FastifyRequest, { offered, own }: PageLanguages): Language {
  const { cookies, headers } = request
  const wanted = [cookies[CHOICE_COOKIE.name], linkLanguage(request), cookies[LINK_COOKIE], own]
  const isOffered = (language: unknown): language is Language => offered.some((each) => each === language)
  return wanted.find(isOffered) ?? languageOf(headers['accept-language'], offered)
}

/** Keeps the language of the link that somebody came by until the browser is closed. A language that they chose comes before it. */
export function keepLinkLanguage(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  const language = linkLanguage(request)
  if (language === null || language === request.cookies[LINK_COOKIE]) return
  reply.setCookie(LINK_COOKIE, language, { path: '/', sameSite: 'lax', secure: isHttps })
}

/** Keeps the language that somebody chose. */
export function keepChoice(reply: FastifyReply, language: Language, isHttps: boolean): void {
  const { name, ...attributes } = CHOICE_COOKIE
  reply.setCookie(name, language, { ...attributes, secure: isHttps })
}

/** The language that the link names with `?lang=`; null for none of ours. */
export const linkLanguage = (request: FastifyRequest) => languageIn(request, 'lang')

/** The language whose build a page asks for with `?build=`, to store it on the device; null for none of ours. */
export const buildLanguage = (request: FastifyRequest) => languageIn(request, 'build')

function languageIn({ url }: FastifyRequest, name: string): Language | null {
  const at = url.indexOf('?')
  const named = new URLSearchParams(at === -1 ? '' : url.slice(at)).get(name)?.toLowerCase() ?? ''
  const find = (wanted: string) => languages.find((language) => language.toLowerCase() === wanted)
  // Of `fr-CA` the language is French, where there is none of that region.
  return find(named) ?? find(named.replace(/-.*/s, '')) ?? null
}
