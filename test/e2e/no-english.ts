import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { outsideOf } from './outside.ts'

type Catalog = Record<string, Record<string, string>>

const read = (language: string): Catalog =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../src/texts/${language}.json`), 'utf8'))

/** The literal words of a message, without its arguments. */
function wordsOf(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value]
    if (element.type === TYPE.tag) return wordsOf(element.children)
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return Object.values(element.options).flatMap(({ value }) => wordsOf(value))
    return []
  })
}

const piecesOf = (catalog: Catalog) =>
  Object.values(catalog).flatMap((area) => Object.values(area).flatMap((message) => wordsOf(parse(message))))

/** Makes the check that a text has no words of the English catalog, but those that this language has too. */
export function makeEnglishFinder(language: string): (text: string) => string[] {
  const own = piecesOf(read(language)).join('\n')
  const pieces = [...new Set(piecesOf(read('en')).map((piece) => piece.trim()))].filter((piece) => !own.includes(piece))
  // A sentence or a part of one anywhere; a single word, such as that of a button, only as a line of its own.
  const phrases = pieces.filter((piece) => /\p{L}{2,}\s\p{L}{2,}/u.test(piece))
  const words = new Set(pieces.filter((piece) => /^\p{L}{3,}$/u.test(piece)))
  return (text) => [
    ...phrases.filter((phrase) => text.includes(phrase)),
    ...text.split('\n').filter((line) => words.has(line.trim())),
    ...(text.match(/\{\w+[,}]|\bundefined\b/g) ?? []),
  ]
}

/** All that people read or hear on a page. */
async function textOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said = ['aria-label', 'placeholder', 'title', 'alt', 'aria-description'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...said].join('\n')
  })
}

/** Expects a page to be in this language: it says so, no English is left, and nothing is wider than the screen. */
export async function expectPageIn(page: Page, language: string, find: (text: string) => string[]): Promise<void> {
  const path = new URL(page.url()).pathname
  expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, language])
  expect([path, find(await textOf(page))]).toEqual([path, []])
  expect([path, await outsideOf(page)]).toEqual([path, []])
}
