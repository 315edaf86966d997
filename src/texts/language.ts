import { languages } from './generated/languages.ts'

export type Language = (typeof languages)[number]

/** A message that is formatted when it is shown, in the language of whoever sees it. */
export type Message = () => string

/** Whether there are texts in this language. */
export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text)

/** Set by a build for one language, which then holds the texts of that language only. */
declare const BUILD_LANGUAGE: Language | undefined

let current: Language = languages[0]

/** The language of every message that is formatted right now. */
export const currentLanguage: () => Language =
  typeof BUILD_LANGUAGE === 'undefined' ? () => current : () => BUILD_LANGUAGE ?? current

type Immediate<T> = T extends PromiseLike<unknown> ? never : T

/** Formats messages in this language. `format` may not be asynchronous: while it waited, other requests would get its language. */
export function inLanguage<T>(language: Language, format: () => Immediate<T>): Immediate<T> {
  const before = current
  current = language
  try {
    return format()
  } finally {
    current = before
  }
}
