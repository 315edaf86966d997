import * as z from 'zod/mini'
import * as texts from '../texts/generated/pageNames.ts'
import type { Message } from '../texts/language.ts'
import { api } from './endpoint.ts'
import { line, moment, paragraph } from './values/fields.ts'

export const pageTypes = ['terms', 'privacy-policy', 'cookie-policy'] as const
export const pageType = z.enum(pageTypes, { error: texts.unknownPage })
export type PageType = z.output<typeof pageType>

export const pageTitles: Readonly<Record<PageType, Message>> = {
  terms: texts.terms,
  'privacy-policy': texts.privacyPolicy,
  'cookie-policy': texts.cookiePolicy,
}

const page = z.object({
  type: pageType,
  title: z.string(),
  /** Markdown: the operator's own text, or the default one. */
  body: z.string(),
  /** The body as HTML, made by the server: safe to show as it is. */
  bodyHtml: z.string(),
  /** When the operator changed it; null for the default text. */
  updatedAt: z.nullable(moment),
})

/** The calls of visitors' pages, which load none of the others. */
export const visitorPageApi = api({
  getPage: {
    method: 'GET',
    path: '/api/page/getPage',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: 'One of the static pages.',
    /** One of `pageTypes`; for any other the page is not found. */
    input: z.strictObject({ type: line(50) }),
    payload: page,
  },
})

export const pageApi = api({
  ...visitorPageApi,
  save: {
    method: 'POST',
    path: '/api/page/save',
    access: { who: 'sudo' },
    refuses: ['NOT_FOUND'],
    summary: "The operator's own text of a static page; an empty one brings ours back.",
    input: z.strictObject({ type: pageType, body: paragraph(50_000) }),
    payload: page,
  },
})
