import type { Language } from './language.ts'

const once = <K, V>(make: (key: K) => V) => {
  const made = new Map<K, V>()
  return (key: K): V => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}

/** English is British: 1,234 and Sunday 31 January. */
const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

const formats = once((language: Language) => new Intl.NumberFormat(localeOf(language)))
const cardinals = once((language: Language) => new Intl.PluralRules(localeOf(language)))

/** A number as this language writes it. */
export const number = (language: Language, value: number): string => formats(language).format(value)

/** The category of a count in this language's grammar, such as `one` or `other` (https://cldr.unicode.org). */
export const plural = (language: Language, count: number): Intl.LDMLPluralRule => cardinals(language).select(count)
