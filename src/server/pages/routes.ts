import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { type PageType, pageApi, pageTitles, pageType, pageTypes } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/api.ts'
import { languages } from '../../texts/generated/languages.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { asPlainText } from '../events/description-html.ts'
import { renderApart } from '../events/render-apart.ts'
import type { Implement } from '../http/implement.ts'
import { originalText } from './original-text.ts'
import { deletePage, findPage, savePage, storePageHtml } from './queries.ts'

export function pageRoutes(implement: Implement, deps: Deps): void {
  const { db, now } = deps
  const pageOf = makePageOf(deps)
  implement(pageApi, {
    getPage: async ({ input, language }) => ({ payload: await pageOf(input.type, language()) }),
    save: async ({ caller, input: { type, body: typed }, language }) => {
      // Saved as it is, the original would be the same for everybody, whatever their language.
      const body = isOriginal(type, typed, deps.settings) ? '' : typed
      // Before anything is saved: a text that cannot be shown is refused.
      const bodyHtml = await renderApart({ markdown: body, owner: 'operator', field: 'body' })
      await db.transaction().execute(async (tx) => {
        if (body === '') await deletePage(tx, type)
        else await savePage(tx, { type, body, bodyHtml, updatedAt: now() })
        const subjectId = pageTypes.indexOf(type) + 1
        await logChange(tx, now(), { clubId: null, userId: caller.id, subject: 'page', subjectId, action: 'edited' })
      })
      return { payload: await pageOf(type, language()), msg: texts.saved }
    },
  })
}

type PageOf = (text: string, language: Language) => Promise<Payload<typeof pageApi.getPage>>

/** Makes the function that returns the operator's text of a page, or the default one with the operator's name and contact. */
function makePageOf({ db, settings }: Deps): PageOf {
  // The default texts, and for a moment what an older version has saved: a handful of texts, each rendered once.
  const rendered = new Map<string, Promise<string>>()
  const htmlOf = (type: PageType, body: string) => {
    const html = rendered.get(body) ?? renderNow(db, type, body)
    rendered.set(body, html)
    html.catch(() => rendered.delete(body))
    return html
  }
  return async (text, language) => {
    const type = pageType.safeParse(text).data
    if (!type) throw new Refusal('NOT_FOUND')
    const row = await findPage(db, type)
    const body = row?.body ?? inLanguage(language, () => originalText(type, settings))
    const bodyHtml = row?.bodyHtml ?? (await htmlOf(type, body))
    return { type, title: inLanguage(language, pageTitles[type]), body, bodyHtml, updatedAt: row?.updatedAt ?? null }
  }
}

/** Renders default texts, and those saved by an older version; what cannot be rendered is shown as plain text. */
async function renderNow(db: Deps['db'], type: PageType, body: string): Promise<string> {
  const html = await renderApart({ markdown: body, owner: `page ${type}`, field: 'body' }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'INVALID_INPUT') return asPlainText(body)
    throw error
  })
  // If it cannot be stored, as on a full disk, it is shown anyway.
  await storePageHtml(db, type, body, html).catch(() => {})
  return html
}

/** Whether a text is the original one, in any language. */
function isOriginal(type: PageType, text: string, settings: Deps['settings']): boolean {
  return languages.some((language) => inLanguage(language, () => originalText(type, settings)).trim() === text)
}
