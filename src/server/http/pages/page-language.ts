import type { FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'
import type { Language } from '../../../texts/language.ts'
import { languageOf } from '../request-language.ts'

/** The language that a visitor chose at the foot of a page, or a user in the profile. */
const CHOICE = 'language'
/** The language of the link that somebody came by, for the pages they open from there. */
const LINK = 'linkLanguage'
const YEAR_S = 365 * 24 * 60 * 60

/** The languages of a page. */
export interface PageLanguages {
  /** Those it is offered in, the main one first. */
  offered: readonly Language[]
  /** The language of the ticket that it shows; null on all other pages. */
  own: Language | null
}

/** The language in which somebody gets a page: the one they chose, else that of the link, else the ticket's, else their browser's. */
export function pageLanguage(request: FastifyRequest, { offered, own }: PageLanguages): Language {
  const { cookies, headers } = request
  const wanted = [cookies[CHOICE], linkLanguage(request), cookies[LINK], own]
  const isOffered = (language: unknown): language is Language => offered.some((each) => each === language)
  return wanted.find(isOffered) ?? languageOf(headers['accept-language'], offered)
}

/** Keeps the language of the link that somebody came by until the browser is closed, unless they chose one. */
export function keepLinkLanguage(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): void {
  const language = linkLanguage(request)
  if (language === null || language === request.cookies[LINK] || request.cookies[CHOICE] !== undefined) return
  reply.setCookie(LINK, language, { path: '/', sameSite: 'lax', secure: isHttps })
}

/** Keeps the language that somebody chose. */
export function keepChoice(reply: FastifyReply, language: Language, isHttps: boolean): void {
  reply.setCookie(CHOICE, language, { path: '/', sameSite: 'lax', secure: isHttps, maxAge: YEAR_S })
}

/** What `?lang=` says; null for nothing that could be a language. */
function linkLanguage({ url }: FastifyRequest): string | null {
  const at = url.indexOf('?')
  const language = at === -1 ? null : new URLSearchParams(url.slice(at)).get('lang')
  return language !== null && /^[A-Za-z-]{2,20}$/.test(language) ? language : null
}
