import { type OwnText, type Translations, textsOf } from '../../contract/translations.ts'
import type { Db, EventRow } from '../db/schema.ts'
import { listExtras } from '../extras/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { textsOf as entriesOf } from '../records/to-event.ts'

/** The texts of an event that can be translated, as they are now. */
export async function findOwnTexts(db: Db, event: EventRow): Promise<OwnText[]> {
  const questions = await findQuestions(db, [event.id])
  const extras = await listExtras(db, event, { isForStaff: true })
  return textsOf({ event, questions, extras })
}

/** What is stored of an event in other languages, and for its changed texts the translation of what stood there before. */
export function toTranslations(
  { translations, translatedPlaces }: Pick<EventRow, 'translations' | 'translatedPlaces'>,
  own: readonly OwnText[],
): Translations {
  const current = new Set(own.map(({ text }) => text))
  return Object.entries(translations).map(([language, dictionary]) => ({
    language,
    texts: entriesOf(dictionary).filter(({ of }) => current.has(of)),
    earlier: own.flatMap(({ place, text }) => {
      const before = translatedPlaces[place]
      const earlier = before === undefined || current.has(before) ? undefined : dictionary[before]
      return earlier === undefined || dictionary[text] !== undefined ? [] : [{ of: text, text: earlier }]
    }),
  }))
}

/** The same without the translations of texts that stand nowhere any more and are no help with another. */
export function withoutUnused(
  { translations, translatedPlaces }: Pick<EventRow, 'translations' | 'translatedPlaces'>,
  own: readonly OwnText[],
): Pick<EventRow, 'translations' | 'translatedPlaces'> {
  const places = new Set(own.map(({ place }) => place))
  const kept = Object.entries(translatedPlaces).filter(([place]) => places.has(place))
  const used = new Set([...own.map(({ text }) => text), ...kept.map(([, text]) => text)])
  const dictionaries = Object.entries(translations).map(([language, dictionary]) => {
    const entries = Object.entries(dictionary).filter(([of]) => used.has(of))
    return [language, Object.fromEntries(entries)] as const
  })
  return {
    translations: Object.fromEntries(dictionaries.filter(([, dictionary]) => Object.keys(dictionary).length > 0)),
    translatedPlaces: Object.fromEntries(kept),
  }
}
