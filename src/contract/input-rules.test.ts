import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { validatePrice } from './events.ts'
import { keptAnswers, validateAnswer } from './forms.ts'
import { isCurrency } from './values/currencies.ts'
import { email, isVisible, requiredLine } from './values/fields.ts'
import { validateAmount } from './values/money.ts'

const isOk = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success

describe('e-mail addresses', () => {
  test.each([
    'ada@example.org',
    "o'neil.ada+party@mail.example.co.uk",
    '_ada-1@x1.example',
    'ada@xn--mnchen-club-thb.de',
    'info@münchen-club.de',
    'info@例え.テスト',
    'info@example.xn--p1ai',
  ])('%s is one', (address) => {
    expect(isOk(email, address)).toBe(true)
  })

  test.each([
    '-a@example.org',
    'a-@example.org',
    'xn--@example.org',
    '.a@example.org',
    'a..b@example.org',
    'a@-example.org',
    'a@example-.org',
    'a@example',
    'a@example..org',
    'a@b@example.org',
    'a b@example.org',
    'a@exam ple.org',
    'a@example.org\u200b',
    `a@${'x'.repeat(64)}.org`,
  ])('%s is none', (address) => {
    expect(isOk(email, address)).toBe(false)
  })

  test('letters with accents before the @ are refused in words that say so', () => {
    const { error } = z.safeParse(email, 'jörg@example.org')
    expect(error?.issues[0]?.message).toBe('Use an e-mail address that has only the letters a to z before the @.')
  })

  test('an address is the same however its letters are composed', () => {
    expect(z.parse(email, 'info@mu\u0308nchen.de')).toBe('info@m\u00fcnchen.de')
  })
})

describe('what cannot be seen', () => {
  const nothing = ['', '  ', '\u200b\u200b', '\u2060', '\u3164', '\u00ad\ufe0f', '\u2800', '\u0301', '\u{e0020}']

  test.each(nothing.map((text) => ({ text })))('$text is no text', ({ text }) => {
    expect(isVisible(text)).toBe(false)
    expect(isOk(requiredLine(100), text)).toBe(false)
    const question = {
      id: 1,
      eventId: 1,
      typeId: 0,
      text: 'Why?',
      required: true,
      options: [],
      position: 0,
      showAtDoor: false,
      ticketTypeIds: [],
      askedOf: 'attendee' as const,
      version: 1,
    }
    expect(validateAnswer(question, text)?.()).toBe('Please answer this question.')
    expect(keptAnswers([question], [{ qId: 1, answer: text }])).toEqual([])
  })

  test.each(['a', '山田', 'นก', '🏊‍♀️', '1', '-'])('%s is text', (text) => {
    expect(isVisible(text)).toBe(true)
  })
})

describe('currencies and amounts', () => {
  test('only currencies that exist and that cards can be charged in are taken', () => {
    for (const code of ['eur', 'gbp', 'jpy', 'kwd', 'isk']) expect(isCurrency(code), code).toBe(true)
    for (const code of ['zzz', 'xxx', 'EUR']) expect(isCurrency(code), code).toBe(false)
  })

  test('amounts are such as Stripe takes in the currency', () => {
    expect(validatePrice(1_500, 'kwd')).toBeNull()
    expect(validateAmount(1_505, 'kwd')?.()).toContain('multiple of')
    expect(validatePrice(1_505, 'kwd')?.()).toContain('multiple of')
    expect(validatePrice(50_050, 'isk')?.()).toContain('multiple of')
    expect(validatePrice(1_234, 'eur')).toBeNull()
  })
})
