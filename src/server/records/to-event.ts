import type { Event } from '../../contract/event.ts'
import { dialCodeOfZone } from '../../contract/values/phones.ts'
import type { Language } from '../../texts/language.ts'
import type { EventRow } from '../db/schema.ts'

/** The row in the contract's shape; without the description's HTML, where nobody shows it. */
export function toEvent(row: EventRow, descriptionHtml = ''): Event {
  // The row comes last, so that all events get the same hidden class (decision 96).
  return { descriptionHtml, dialCode: dialCodeOfZone(row.timeZone), translation: null, ...row }
}

/** The same in a list for visitors, with its name in this language. */
export function toListedEvent(row: EventRow, language: Language): Event {
  const name = textIn(row.translations[language], row.name)
  const translation = name === undefined ? null : { texts: [{ of: row.name, text: name }], descriptionHtml: '' }
  return { ...toEvent(row), translation }
}

/** All that is said of an event in this language, for its own pages; `html` makes the HTML of the description, where it is shown. */
export async function translationOf(
  row: EventRow,
  language: Language,
  html: (description: string) => Promise<string> = async () => '',
): Promise<Event['translation']> {
  const texts = row.translations[language]
  if (!texts || Object.keys(texts).length === 0) return null
  const description = textIn(texts, row.description)
  // The description is long, and its HTML is all that a page shows.
  const others = textsOf(texts).filter(({ of }) => of !== row.description)
  return { texts: others, descriptionHtml: description ? await html(description) : '' }
}

/** The text under this key; a text such as `constructor` is none of the object's own functions. */
export function textIn(dictionary: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return dictionary && Object.hasOwn(dictionary, key) ? dictionary[key] : undefined
}

/** Texts by the text in the main language, as the contract has them. */
export function textsOf(dictionary: Readonly<Record<string, string>> | undefined): { of: string; text: string }[] {
  return Object.entries(dictionary ?? {}).map(([of, text]) => ({ of, text }))
}
