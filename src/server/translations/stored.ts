import { onSale } from '../../contract/ticket-type.ts'
import { type OwnText, type Translations, textsOf } from '../../contract/translations.ts'
import type { Db, EventRow } from '../db/schema.ts'
import { findExtrasOf } from '../extras/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import { textsOf as entriesOf, textIn } from '../records/to-event.ts'

/** The texts of an event that can be translated, as they are now. */
export async function findOwnTexts(db: Db, event: EventRow): Promise<OwnText[]> {
  const questions = await findQuestions(db, [event.id])
  const extras = await findExtrasOf(db, [event.id])
  const ticketTypes = onSale(await findTicketTypes(db, event.id))
  const sorted = extras.sort((a, b) => a.position - b.position || a.id - b.id)
  return textsOf({ event, questions, extras: sorted, ticketTypes })
}

/**
 * What is stored of an event in other languages, and for its changed texts the translation of what stood there before. Of texts that stand
 * nowhere any more nothing is told, but they stay stored: tickets and vouchers that were bought have them.
 */
export function toTranslations(
  { translations, translatedPlaces }: Pick<EventRow, 'translations' | 'translatedPlaces'>,
  own: readonly OwnText[],
): Translations {
  const current = new Set(own.map(({ text }) => text))
  return Object.entries(translations).map(([language, dictionary]) => ({
    language,
    texts: entriesOf(dictionary).filter(({ of }) => current.has(of)),
    earlier: own.flatMap(({ place, text }) => {
      const before = textIn(translatedPlaces[language], place)
      const earlier = before === undefined || current.has(before) ? undefined : textIn(dictionary, before)
      return earlier === undefined || textIn(dictionary, text) !== undefined ? [] : [{ of: text, text: earlier }]
    }),
  }))
}
