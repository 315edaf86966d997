import * as z from 'zod/mini'
import * as texts from '../texts/generated/translationInput.ts'
import { api } from './endpoint.ts'
import { type Event, translatedText } from './event.ts'
import type { Extras } from './extras.ts'
import type { FormQuestion } from './forms.ts'
import type { TicketType } from './ticket-type.ts'
import { language } from './values/account-fields.ts'
import { id, idText, paragraph } from './values/fields.ts'

/** Maximum length of a text: that of a description. */
const MOST_CHARACTERS = 20_000
/** Maximum number of texts saved at once; a form of 100 questions with 100 options each has 10,100. */
const MOST_TEXTS = 11_000

/** What a club wrote in each of its other languages. */
const translations = z.array(
  z.object({
    language: z.string(),
    texts: z.array(translatedText),
    /** For texts without a translation, that of what stood in the same place before. */
    earlier: z.array(translatedText),
  }),
)
export type Translations = z.output<typeof translations>

const text = paragraph(MOST_CHARACTERS)

export const translationApi = api({
  getTranslations: {
    method: 'GET',
    path: '/api/event/getTranslations',
    access: { who: 'admin', event: 'eventId', needs: 'events' },
    summary: 'The texts of an event in other languages.',
    input: z.strictObject({ eventId: idText }),
    payload: translations,
  },
  saveTranslations: {
    method: 'POST',
    path: '/api/event/saveTranslations',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['EDIT_CONFLICT'],
    summary:
      'Saves translations of these texts, and leaves the others as they are; an empty one is removed. Refused with EDIT_CONFLICT when a text has changed meanwhile, or its translation is no longer what `was` says.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        language,
        texts: z
          .array(
            z.strictObject({
              /** The text in the main language. */
              of: text.check(z.minLength(1)),
              text,
              /** The translation that the caller saw; empty for none. Without it, whatever is stored is replaced. */
              was: z.optional(text),
            }),
          )
          .check(z.maxLength(MOST_TEXTS, { error: texts.tooMany })),
      }),
    }),
    payload: translations,
  },
})

/** What of an event can be said in other languages. */
export interface Translatable {
  event: Pick<Event, 'name' | 'description'>
  questions: readonly Pick<FormQuestion, 'id' | 'text' | 'options'>[]
  extras: readonly Pick<Extras, 'id' | 'name' | 'description' | 'content'>[]
  /** Those on sale. */
  ticketTypes: readonly Pick<TicketType, 'id' | 'name' | 'description'>[]
}

export type TextKind =
  | 'name'
  | 'description'
  | 'question'
  | 'option'
  | 'voucher'
  | 'voucher description'
  | 'unit'
  | 'ticket type'
  | 'ticket type description'

/** A text of an event in the main language. */
export interface OwnText {
  kind: TextKind
  /** Where it stands: `name`, `question-12`, `option-12-0`. It stays the same when the text is changed. */
  place: string
  text: string
}

/** Whether a text may have several lines. */
export const hasLines = (kind: TextKind) =>
  kind === 'description' || kind === 'voucher description' || kind === 'ticket type description'

/** Maximum lengths of translations in characters: the longest that a question or the description of a voucher or ticket may have. */
export function longestOf(kind: TextKind): number {
  return kind === 'description' ? MOST_CHARACTERS : hasLines(kind) ? 1000 : 300
}

/** The texts of an event, each once, in the order of its pages. */
export function textsOf({ event, questions, extras, ticketTypes }: Translatable): OwnText[] {
  const all: OwnText[] = [
    { kind: 'name', place: 'name', text: event.name },
    { kind: 'description', place: 'description', text: event.description },
    // A single one is not named to visitors.
    ...(ticketTypes.length > 1 ? ticketTypes : []).flatMap(({ id, name, description }) => [
      { kind: 'ticket type' as const, place: `ticket-type-${id}`, text: name },
      { kind: 'ticket type description' as const, place: `ticket-type-description-${id}`, text: description },
    ]),
    ...questions.flatMap(({ id, text: question, options }) => [
      { kind: 'question' as const, place: `question-${id}`, text: question },
      ...options.map((option, at) => ({ kind: 'option' as const, place: `option-${id}-${at}`, text: option })),
    ]),
    ...extras.flatMap(({ id, name, description, content }) => [
      { kind: 'voucher' as const, place: `voucher-${id}`, text: name },
      { kind: 'voucher description' as const, place: `voucher-description-${id}`, text: description },
      ...content.map((item, at) => ({ kind: 'unit' as const, place: `unit-${id}-${at}`, text: item.name })),
    ]),
  ]
  const seen = new Set([''])
  return all.filter(({ text }) => !seen.has(text) && seen.add(text))
}
