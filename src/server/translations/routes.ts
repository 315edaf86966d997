import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { type Translations, translationApi } from '../../contract/translations.ts'
import * as texts from '../../texts/generated/api.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { storeDescriptionHtml } from '../events/description-html.ts'
import * as queries from '../events/queries.ts'
import { renderApart } from '../events/render-apart.ts'
import type { Implement } from '../http/implement.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { textsOf } from '../records/to-event.ts'

/** How much a club may write about an event in one language, in characters. Texts that are no longer used count too. */
const MOST_CHARACTERS = 400_000

export function translationRoutes(implement: Implement, deps: Deps): void {
  implement(translationApi, {
    getTranslations: async ({ event }) => ({ payload: toTranslations(event.translations) }),
    saveTranslations: async ({ caller, event, input }) => ({
      payload: await saveTranslations(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
  })
}

type Saving = Input<typeof translationApi.saveTranslations>['payload']

/** Saves what of an event was said in another language; what is not named stays as it is. Refuses with INVALID_INPUT, TOO_LARGE. */
async function saveTranslations(
  { db, now, log }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { language, texts: said }: Saving,
): Promise<Translations> {
  checkLines(event, said)
  const at = said.findIndex(({ of, text }) => of === event.description && text !== '')
  const description = said[at]?.text
  // Before anything is saved: a text that cannot be shown is refused.
  const field = `payload.texts.${at}.text`
  const html = description && (await renderApart({ markdown: description, owner: `club ${caller.clubId}`, field }))
  const saved = await db.transaction().execute(async (tx) => {
    const before = await lockEvent(tx, event.id)
    if (!before) throw new Refusal('NOT_FOUND')
    const dictionary = merged(before.translations[language] ?? {}, said, before.description)
    if (JSON.stringify(dictionary).length > MOST_CHARACTERS) throw new Refusal('TOO_LARGE')
    const { [language]: _, ...others } = before.translations
    const translations = Object.keys(dictionary).length === 0 ? others : { ...others, [language]: dictionary }
    await queries.updateTranslations(tx, event.id, translations)
    await logChange(tx, now(), {
      clubId: event.clubId,
      userId: caller.id,
      subject: 'event',
      subjectId: event.id,
      action: 'translated',
      after: { language },
    })
    return translations
  })
  if (description && html)
    await storeDescriptionHtml(db, { id: event.id, description, language }, html).catch(() =>
      log.warn('description not kept as HTML'),
    )
  return toTranslations(saved)
}

/** Only a description has several lines. */
function checkLines({ description }: OwnEvent, said: Saving['texts']): void {
  const fields = said.flatMap(({ of, text }, at) =>
    text.includes('\n') && !of.includes('\n') && of !== description
      ? [{ path: `payload.texts.${at}.text`, msg: fieldTexts.oneLine }]
      : [],
  )
  if (fields.length > 0) throw new Refusal('INVALID_INPUT', { fields })
}

/** The texts with those said now. Once the description is translated, the translation of an earlier one has no use any more. */
function merged(
  before: Readonly<Record<string, string>>,
  said: Saving['texts'],
  description: string,
): Record<string, string> {
  const next = new Map(Object.entries(before))
  for (const { of, text } of said) {
    if (of === description) next.delete('')
    if (text === '') next.delete(of)
    else next.set(of, text)
  }
  return Object.fromEntries(next)
}

function toTranslations(stored: EventRow['translations']): Translations {
  return Object.entries(stored).map(([language, dictionary]) => ({ language, texts: textsOf(dictionary) }))
}
