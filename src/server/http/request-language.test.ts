import { expect, test } from 'vitest'
import { askedLanguageOf, languageOf } from './request-language.ts'

test('the language that a browser wants most is chosen among ours, also for a region of it', () => {
  expect(languageOf('fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5')).toBe('fr')
  expect(languageOf('pt-BR, es;q=0.4, de;q=0.7')).toBe('de')
  expect(languageOf('de;q=0, it')).toBe('it')
  expect(languageOf('*')).toBe('en')
})

test('without a language of ours it is English, and never the result of a header too long to be a browser’s', () => {
  for (const header of [undefined, '', 'tlh', ';;;', `${'de,'.repeat(70)}de`]) expect(languageOf(header)).toBe('en')
})

test('among a club’s languages the first one is for everybody else', () => {
  expect(languageOf('en', ['it', 'fr'])).toBe('it')
  expect(languageOf('en, fr;q=0.5', ['it', 'fr'])).toBe('fr')
  expect(languageOf(undefined, ['it', 'fr'])).toBe('it')
  // The same header for another club.
  expect(languageOf('en', ['fr'])).toBe('fr')
})

test('who names no language of ours has not asked for English', () => {
  for (const header of [undefined, '', '*', 'tlh', 'pt-BR, *;q=0.1']) expect(askedLanguageOf(header)).toBeNull()
  expect(['en', 'en-GB,en;q=0.9', ' FR-ca', 'pt, de;q=0.3'].map(askedLanguageOf)).toEqual(['en', 'en', 'fr', 'de'])
})
