import type { Input } from '../../contract/endpoint.ts'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import { hasLines, longestOf, type OwnText, type Translations, translationApi } from '../../contract/translations.ts'
import * as texts from '../../texts/generated/api.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { storeDescriptionHtml } from '../events/description-html.ts'
import * as queries from '../events/queries.ts'
import { renderApart } from '../events/render-apart.ts'
import type { Implement } from '../http/implement.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { textIn } from '../records/to-event.ts'
import { findOwnTexts, toTranslations } from './stored.ts'

/** How much a club may write about an event in one language, in characters. Texts that are no longer used count too. */
const MOST_CHARACTERS = 400_000

export function translationRoutes(implement: Implement, deps: Deps): void {
  implement(translationApi, {
    getTranslations: async ({ event }) => ({ payload: toTranslations(event, await findOwnTexts(deps.db, event)) }),
    saveTranslations: async ({ caller, event, input }) => ({
      payload: await saveTranslations(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
  })
}

type Saving = Input<typeof translationApi.saveTranslations>['payload']

/**
 * Saves what of an event was said in another language; what is not named stays as it is. Refuses with INVALID_INPUT, TOO_LARGE, and with
 * EDIT_CONFLICT when a text or its translation has changed since the caller saw it.
 */
async function saveTranslations(
  { db, now, log }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { language, texts: said }: Saving,
): Promise<Translations> {
  const at = said.findIndex(({ of, text }) => of === event.description && text !== '')
  const description = said[at]?.text
  // Before anything is saved: a text that cannot be shown is refused.
  const field = `payload.texts.${at}.text`
  const html = description && (await renderApart({ markdown: description, owner: `club ${caller.clubId}`, field }))
  const saved = await db.transaction().execute(async (tx) => {
    const before = await lockEvent(tx, event.id)
    if (!before) throw new Refusal('NOT_FOUND')
    const own = await findOwnTexts(tx, before)
    const { [language]: stored = {}, ...others } = before.translations
    const { [language]: places = {}, ...placesOfOthers } = before.translatedPlaces
    checkTexts(own, stored, said)
    const dictionary = merged(stored, said)
    if (JSON.stringify(dictionary).length > MOST_CHARACTERS) throw new Refusal('TOO_LARGE')
    const translated = {
      translations: Object.keys(dictionary).length === 0 ? others : { ...others, [language]: dictionary },
      translatedPlaces: { ...placesOfOthers, [language]: { ...places, ...placesOf(own, said) } },
    }
    await queries.updateTranslations(tx, event.id, translated)
    await logChange(tx, now(), {
      clubId: event.clubId,
      userId: caller.id,
      subject: 'event',
      subjectId: event.id,
      action: 'translated',
      after: { language },
    })
    return toTranslations(translated, own)
  })
  if (description && html)
    await storeDescriptionHtml(db, { id: event.id, description, language }, html).catch(() =>
      log.warn('description not kept as HTML'),
    )
  return saved
}

/** Refuses what has changed since the caller saw it, and translations that are too long or have lines where the original cannot. */
function checkTexts(own: readonly OwnText[], stored: Readonly<Record<string, string>>, said: Saving['texts']): void {
  const ownByText = new Map(own.map((each) => [each.text, each]))
  const conflicts: FieldError[] = []
  const wrong: FieldError[] = []
  for (const [at, { of, text, was }] of said.entries()) {
    const path = `payload.texts.${at}.text`
    const kind = ownByText.get(of)?.kind
    const now = textIn(stored, of) ?? ''
    const isOther = was !== undefined && now !== was && now !== text
    if (kind === undefined) conflicts.push({ path: `payload.texts.${at}.of`, msg: texts.originalChangedMeanwhile })
    else if (isOther) conflicts.push({ path, msg: () => meanwhile(now) })
    else if (text.length > longestOf(kind))
      wrong.push({ path, msg: () => fieldTexts.mostCharacters({ most: String(longestOf(kind)) }) })
    else if (text.includes('\n') && !hasLines(kind)) wrong.push({ path, msg: fieldTexts.oneLine })
  }
  if (conflicts.length > 0) throw new Refusal('EDIT_CONFLICT', { fields: conflicts })
  if (wrong.length > 0) throw new Refusal('INVALID_INPUT', { fields: wrong })
}

/** Says what a colleague has made of a translation. */
function meanwhile(now: string): string {
  if (now === '') return texts.translationRemovedMeanwhile()
  const characters = [...now]
  return texts.translatedMeanwhile({ text: characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : now })
}

/** The texts with those said now. */
function merged(before: Readonly<Record<string, string>>, said: Saving['texts']): Record<string, string> {
  const next = new Map(Object.entries(before))
  for (const { of, text } of said) {
    if (text === '') next.delete(of)
    else next.set(of, text)
  }
  return Object.fromEntries(next)
}

/** Which text stands where of those that are translated now. */
function placesOf(own: readonly OwnText[], said: Saving['texts']): Record<string, string> {
  const translated = new Set(said.filter(({ text }) => text !== '').map(({ of }) => of))
  return Object.fromEntries(own.filter(({ text }) => translated.has(text)).map(({ place, text }) => [place, text]))
}
