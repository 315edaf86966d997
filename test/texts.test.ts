import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compileTexts } from '../scripts/compile-texts.mjs'
import { inLanguage } from '../src/texts/language.ts'
import { oneLanguage } from '../vite.one-language.ts'

const root = join(import.meta.dirname, '..')

describe('the compiler of texts', () => {
  const dir = mkdtempSync(join(tmpdir(), 'texts-'))
  afterAll(() => rmSync(dir, { recursive: true }))

  /** Compiles these messages as English and German, and loads the module that chooses by the current language. */
  async function load(en: Record<string, string>, de: Record<string, string>) {
    const files = compileTexts({ en: { area: en }, de: { area: de } })
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(dir, name)), { recursive: true })
      writeFileSync(join(dir, name), text)
    }
    for (const [name, text] of files) write(join('generated', name), text)
    for (const name of ['language.ts', 'numbers.ts']) write(name, readFileSync(join(root, 'src/texts', name), 'utf8'))
    const { inLanguage } = await import(join(dir, 'language.ts'))
    const texts = await import(join(dir, 'generated/area.ts'))
    return { texts, inLanguage }
  }

  test('plurals, numbers, choices and tags follow the language', async () => {
    const { texts, inLanguage } = await load(
      {
        plain: 'It’s a `quote`, a \\ and a $',
        left: '{count, plural, =0 {No place} one {One place} other {# places}} left for {name}',
        en: 'The LANGUAGE of {en}',
        kind: '{kind, select, ticket {Ticket} other {Voucher}}',
        accept: 'You accept the <terms>terms of {club}</terms>, {count, plural, one {once} other {# times}}.',
      },
      {
        plain: 'Ein Zitat',
        en: 'Die Sprache von {en}',
        left: 'Für {name}: {count, plural, =0 {kein Platz} one {ein Platz} other {# Plätze}}',
        kind: '{kind, select, ticket {Ticket} other {Gutschein}}',
        accept: '{count, plural, one {Einmal} other {#-mal}} gelten die <terms>Bedingungen von {club}</terms>.',
      },
    )
    expect(texts.plain()).toBe('It’s a `quote`, a \\ and a $')
    expect([0, 1, 1234].map((count) => texts.left({ count, name: 'Ana' }))).toEqual([
      'No place left for Ana',
      'One place left for Ana',
      '1,234 places left for Ana',
    ])
    expect(texts.kind({ kind: 'ticket' })).toBe('Ticket')
    expect(texts.en({ en: 'Ana' })).toBe('The LANGUAGE of Ana')
    const terms = (text: string) => ({ link: text })
    expect(texts.accept({ club: 'Rowing', count: 2, terms })).toEqual([
      'You accept the ',
      { link: 'terms of Rowing' },
      ', ',
      '2',
      ' times',
      '.',
    ])
    inLanguage('de', () => {
      expect(texts.left({ count: 1234, name: 'Ana' })).toBe('Für Ana: 1.234 Plätze')
      expect(texts.accept({ club: 'Rowing', count: 1, terms })[0]).toBe('Einmal')
    })
    expect(texts.kind({ kind: 'other' })).toBe('Voucher')
  })

  test('the types name each argument', () => {
    const files = compileTexts({ en: { area: { left: '{n, plural, other {#}} {name} {n} <b>x</b>' } } })
    expect(files.get('en/area.ts')).toContain('<T>(p: { b: (text: string) => T; n: number; name: string | number })')
  })

  test('a catalog that differs from the source is refused by the name of its message', () => {
    const compile = (de: Record<string, string>) => () =>
      compileTexts({ en: { area: { hello: 'Hello {name}', bye: 'Bye' } }, de: { area: de } })
    expect(compile({ hello: 'Hallo {name}' })).toThrow('de: area.bye is missing.')
    expect(compile({ hello: 'Hallo {nam}', bye: 'Tschüs' })).toThrow('de: area.hello takes { nam: string | number }')
    expect(compile({ hello: 'Hallo {name}', bye: 'Tschüs', more: 'Mehr' })).toThrow(
      'de: area.more is not in the source',
    )
    expect(compile({ hello: 'Hallo {name}', bye: ' Tschüs' })).toThrow('de: area.bye is empty, or begins or ends')
    expect(compile({ hello: 'Hallo {name', bye: 'Tschüs' })).toThrow('de: area.hello is not ICU MessageFormat')
    expect(compile({ hello: '{name} {name, plural, other {#}}', bye: 'Tschüs' })).toThrow('de: area.hello takes')
    for (const [area, key, text, fault] of [
      ['area', 'delete', 'Delete', '“delete” cannot be a name'],
      ['my-area', 'hello', 'Hello', '“my-area” cannot be a name'],
      ['area', 'hello', 'See <my-link>this</my-link>', '“my-link” cannot be a name'],
      ['area', 'hello', '{b} <b>x</b>', 'uses b as'],
      ['area', 'hello', '<b>x</b> {b, plural, other {#}}', 'uses b as'],
      ['area', 'hello', '{n, selectordinal, one {#st} other {#th}}', 'which is not supported'],
      ['area', 'hello', 'On {day, date}', 'is not supported'],
    ] as const)
      expect(() => compileTexts({ en: { [area]: { [key]: text } } })).toThrow(fault)
  })
})

test('a build for one language replaces the module of all languages, and nothing else', () => {
  const { resolveId } = oneLanguage('de')
  const resolve = (source: string) =>
    typeof resolveId === 'function' ? Reflect.apply(resolveId, null, [source, '/src/web/registrations/Form.tsx']) : null
  expect(resolve('../../texts/generated/ticket.ts')).toBe('/src/texts/generated/de/ticket.ts')
  expect(resolve('../../texts/generated/languages.ts')).toBeNull()
  expect(resolve('../ticket.ts')).toBeNull()
})

test('the language is not kept while something waits', () => {
  // @ts-expect-error An asynchronous function would change the language of other requests.
  expect(inLanguage('en', async () => 'late')).toBeInstanceOf(Promise)
})

test('every message of the catalogs is used', () => {
  const src = join(root, 'src')
  const used = new Set<string>()
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name) || name.startsWith('texts/')) continue
    const source = readFileSync(join(src, name), 'utf8')
    for (const [, local = '', area = ''] of source.matchAll(
      /import \* as (\w+) from '[./]+texts\/generated\/(\w+)\.ts'/g,
    ))
      for (const [, key = ''] of source.matchAll(new RegExp(`(?<![.\\w])${local}\\.(\\w+)`, 'g')))
        used.add(`${area}.${key}`)
  }
  const en: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(src, 'texts/en.json'), 'utf8'))
  const names = Object.entries(en).flatMap(([area, messages]) => Object.keys(messages).map((key) => `${area}.${key}`))
  expect(names.filter((name) => !used.has(name))).toEqual([])
})
