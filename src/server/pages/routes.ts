import type { FastifyInstance } from 'fastify'
import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { pageApi, pageTitles, pageType, pageTypes } from '../../contract/pages.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { renderDescription } from '../events/render-description.ts'
import { implement } from '../http/implement.ts'
import { ownWords } from './own-words.ts'
import { deletePage, findPage, savePage } from './queries.ts'

export function pageRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, now } = deps
  implement(app, deps, pageApi, {
    getPage: async ({ input }) => ({ payload: await pageOf(deps, input.type) }),
    save: async ({ caller, input: { type, body } }) => {
      await db.transaction().execute(async (tx) => {
        if (body === '') await deletePage(tx, type)
        else await savePage(tx, { type, body, updatedAt: now() })
        const subjectId = pageTypes.indexOf(type) + 1
        await logChange(tx, now(), { clubId: null, userId: caller.id, subject: 'page', subjectId, action: 'edited' })
      })
      return { payload: await pageOf(deps, type), msg: 'Saved.' }
    },
  })
}

/** The operator's text of a page, or ours with the operator's name and contact. */
async function pageOf({ db, settings }: Deps, text: string): Promise<Payload<typeof pageApi.getPage>> {
  const type = pageType.safeParse(text).data
  if (!type) throw new Refusal('NOT_FOUND')
  const row = await findPage(db, type)
  const body = row?.body ?? ownWords(type, settings)
  return { type, title: pageTitles[type], body, bodyHtml: renderDescription(body), updatedAt: row?.updatedAt ?? null }
}
