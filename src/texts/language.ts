import { languages } from './made/languages.ts'

export type Language = (typeof languages)[number]

/** Set by a build for one language, which then holds the texts of that language only. */
declare const BUILT_FOR: Language | undefined

let current: Language = languages[0]

/** The language in which texts are said right now. */
export const currentLanguage: () => Language =
  typeof BUILT_FOR === 'undefined' ? () => current : () => BUILT_FOR ?? current

type Immediate<T> = T extends PromiseLike<unknown> ? never : T

/**
 * Says texts in this language. `say` may not be asynchronous: while it waited, others would be answered in its language.
 */
export function inLanguage<T>(language: Language, say: () => Immediate<T>): Immediate<T> {
  const before = current
  current = language
  try {
    return say()
  } finally {
    current = before
  }
}
