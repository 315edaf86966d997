import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../contract/page-renderer.ts'
import { PRODUCT_VERSION } from '../../../contract/version.ts'
import { directionOf } from '../../../texts/direction.ts'
import * as texts from '../../../texts/generated/heads.ts'
import { languages } from '../../../texts/generated/languages.ts'
import { inLanguage, isLanguage, type Language } from '../../../texts/language.ts'
import { escapeHtml } from '../../escape-html.ts'

/** What the build made for one language. */
export interface Shells {
  /** The HTML around the pages that the browser renders. */
  staff: string
  /** The HTML around the public pages, which the server renders. */
  public: string
  /** The list of files with which tickets and the door open without network, as JSON. */
  offlineFiles: string
  /** What the app is called on a home screen, and what can be opened from there (https://www.w3.org/TR/appmanifest), as JSON. */
  manifest: string
}

/** The folder of the shells among the built files; it has no address. */
const FOLDER = '.shells'

/** Whether the web app is built. */
export function isBuilt(webDir: string): boolean {
  return existsSync(join(webDir, FOLDER, languages[0], 'index.html'))
}

/** Reads the shells. A language without a build of its own gets those of the first one. */
export function readShells(webDir: string, site: Site): (language: Language) => Shells {
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const read = (language: Language, name: string) =>
    fillIn(textOf(join(webDir, FOLDER, language, name)), site, language)
  const manifest = textOf(join(webDir, 'manifest.webmanifest'))
  const shells = new Map<Language, Shells>()
  for (const language of readdirSync(join(webDir, FOLDER)).filter(isLanguage))
    shells.set(language, {
      staff: read(language, 'index.html'),
      public: read(language, 'public.html'),
      offlineFiles: read(language, 'offline-files.json'),
      manifest: inLanguage(language, () => fillInManifest(manifest, language)),
    })
  const first = shells.get(languages[0])
  if (!first) throw new Error(`There are no pages in ${languages[0]}.`)
  return (language) => shells.get(language) ?? first
}

function fillIn(page: string, { baseUrl, stripeKey }: Site, language: Language): string {
  // In a parsed address, only `&` has a meaning in HTML.
  const address = new URL(baseUrl).href.replace(/\/$/, '').replaceAll('&', '&amp;')
  return page
    .replace('__BASE_URL__', () => address)
    .replace('__STRIPE_KEY__', () => escapeHtml(stripeKey ?? ''))
    .replace('__VERSION__', PRODUCT_VERSION)
    .replaceAll('__LANGUAGE__', language)
    .replace('__NEEDS_SCRIPT__', () => escapeHtml(inLanguage(language, texts.needsScript)))
}

function fillInManifest(manifest: string, language: Language): string {
  const words: Readonly<Record<string, string>> = {
    __LANGUAGE__: language,
    __DIRECTION__: directionOf(language),
    __DESCRIPTION__: texts.appDescription(),
    __SCANNER__: texts.appScanner(),
    __EVENTS__: texts.appEvents(),
  }
  return manifest.replace(/"(__[A-Z]+__)"/g, (whole, name: string) => JSON.stringify(words[name] ?? whole))
}
