import { currentLanguage, type Language } from './language.ts'

/** Keeps what was made for each language, because making a formatter is slow. */
function cached<T>(make: (language: Language) => T): (language: Language) => T {
  const cache = new Map<Language, T>()
  return (language) => {
    const value = cache.get(language) ?? make(language)
    cache.set(language, value)
    return value
  }
}

/** The locale with which a language writes numbers and names; English is British: 1,234 and Sunday 31 January. */
export const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

const formats = cached((language: Language) => new Intl.NumberFormat(localeOf(language)))
const cardinals = cached((language: Language) => new Intl.PluralRules(localeOf(language)))

/** A number as the current language writes it. */
export const formatNumber = (value: number): string => number(currentLanguage(), value)

const lists = /* @__PURE__ */ cached((language: Language) => new Intl.ListFormat(localeOf(language)))

/** A list as the current language writes it: `name, e-mail and phone`. */
export const formatList = (items: readonly string[]): string => lists(currentLanguage()).format(items)

/** A number as this language writes it. */
export const number = (language: Language, value: number): string => formats(language).format(value)

/** The category of a count in this language's grammar, such as `one` or `other` (https://cldr.unicode.org). */
export const plural = (language: Language, count: number): Intl.LDMLPluralRule => cardinals(language).select(count)

const names = /* @__PURE__ */ cached(
  (language: Language) => new Intl.DisplayNames(localeOf(language), { type: 'language' }),
)

/** The name of a language within a sentence of the current one: `German`, `allemand`. */
export const nameOfLanguage = (language: Language): string => names(currentLanguage()).of(language) ?? language
