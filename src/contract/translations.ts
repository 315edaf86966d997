import * as z from 'zod/mini'
import * as texts from '../texts/generated/translations.ts'
import { api } from './endpoint.ts'
import { type Event, translatedText } from './event.ts'
import type { Extras } from './extras.ts'
import type { FormQuestion } from './forms.ts'
import { id, idText, language, paragraph } from './values/fields.ts'

/** Maximum length of a text: that of a description. */
const MOST_CHARACTERS = 20_000
/** Maximum number of texts saved at once; a form of 100 questions with 100 options each has 10,100. */
const MOST_TEXTS = 11_000

/** What a club wrote in each of its other languages; of the description before, `of` is empty. */
const translations = z.array(z.object({ language: z.string(), texts: z.array(translatedText) }))
export type Translations = z.output<typeof translations>

const text = paragraph(MOST_CHARACTERS)

export const translationApi = api({
  getTranslations: {
    method: 'GET',
    path: '/api/event/getTranslations',
    access: { who: 'admin', event: 'eventId' },
    summary:
      'The texts of an event in other languages. One whose `of` is empty is the translation of an earlier description.',
    input: z.strictObject({ eventId: idText }),
    payload: translations,
  },
  saveTranslations: {
    method: 'POST',
    path: '/api/event/saveTranslations',
    access: { who: 'admin', event: 'payload.eventId' },
    summary: 'Saves translations of these texts, and leaves the others as they are; an empty one is removed.',
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
  questions: readonly Pick<FormQuestion, 'text' | 'options'>[]
  extras: readonly Pick<Extras, 'name' | 'description' | 'content'>[]
}

export type TextKind = 'name' | 'description' | 'question' | 'option' | 'voucher' | 'voucher description' | 'unit'

/** The texts of an event, each once, in the order of its pages. */
export function textsOf({ event, questions, extras }: Translatable): { kind: TextKind; text: string }[] {
  const all: { kind: TextKind; text: string }[] = [
    { kind: 'name', text: event.name },
    { kind: 'description', text: event.description },
    ...questions.flatMap(({ text: question, options }) => [
      { kind: 'question' as const, text: question },
      ...options.map((option) => ({ kind: 'option' as const, text: option })),
    ]),
    ...extras.flatMap(({ name, description, content }) => [
      { kind: 'voucher' as const, text: name },
      { kind: 'voucher description' as const, text: description },
      ...content.map((item) => ({ kind: 'unit' as const, text: item.name })),
    ]),
  ]
  return all.filter(({ text: one }, at) => one !== '' && all.findIndex(({ text: other }) => other === one) === at)
}
