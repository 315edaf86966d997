import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../src/texts/generated/languages.ts'

interface Shells {
  /** The HTML around the pages that the browser renders. */
  staff?: string
  /** The HTML around the public pages. */
  visitors?: string
}

/** Writes what the build makes for each language into a folder of built files; `LANGUAGE` stands for the language. */
export function writeShells(
  webDir: string,
  {
    staff = '<html><!--head--><div id="root"></div>',
    visitors = '<html lang="LANGUAGE" __RENDERED__><!--head--><div id="root"><!--page--></div><!--data-->',
  }: Shells = {},
): void {
  for (const language of languages) {
    const folder = join(webDir, '.shells', language)
    mkdirSync(folder, { recursive: true })
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), text.replaceAll('LANGUAGE', language))
    write('index.html', staff)
    write('public.html', visitors)
    write('offline-files.json', JSON.stringify({ language: 'LANGUAGE', door: Array(100).fill('/assets/page.js') }))
  }
}
