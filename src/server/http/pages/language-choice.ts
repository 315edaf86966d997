import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { isLanguage } from '../../../texts/language.ts'
import { keepChoice } from './page-language.ts'

/** The form has two short fields. */
const LARGEST_CHOICE = 8 * 1024
/** Only to find out whether an address stays on this site. */
const SITE = 'http://here'

/** The form at the foot of every page: keeps the language chosen there, and returns to the page. */
export function answerChoice(forms: FastifyInstance, isHttps: boolean): void {
  forms.post('/language', { bodyLimit: LARGEST_CHOICE }, (request, reply) => {
    if (typeof request.body !== 'string') throw new Refusal('WRONG_MEDIA_TYPE')
    const fields = new URLSearchParams(request.body)
    const language = fields.get('language')
    if (!isLanguage(language)) throw new Refusal('INVALID_INPUT')
    keepChoice(reply, language, isHttps)
    return reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', pageWithin(fields.get('page') ?? '/'))
      .send()
  })
}

/** The address of a page of this site without its language, which the choice replaces; the start page for any other address. */
function pageWithin(address: string): string {
  const page = URL.canParse(address, SITE) ? new URL(address, SITE) : null
  if (page?.origin !== SITE) return '/'
  page.searchParams.delete('lang')
  // Two slashes at its beginning would lead to another site.
  return page.pathname.replace(/^\/+/, '/') + page.search
}
