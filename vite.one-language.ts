import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { directionOf } from './src/texts/direction.ts'

/** The language of the pages in this build: see scripts/build.mjs. */
export const buildLanguage = process.env.BUILD_LANGUAGE ?? 'en'

/**
 * A build that says everything in one language, so that browsers load that language only, and each chunk only its own texts. Modules in
 * `texts/generated` are replaced by those of the language, `currentLanguage()` answers with it, and pages state it in `lang`, and which way it is written in `dir`.
 */
export function oneLanguage(language: string): Plugin {
  return {
    name: 'one-language',
    apply: 'build',
    enforce: 'pre',
    config: () => ({ define: { BUILD_LANGUAGE: JSON.stringify(language) } }),
    transformIndexHtml: (html) =>
      html.replace('<html lang="en"', `<html lang="${language}" dir="${directionOf(language)}"`),
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null
      const [, folder, area] = join(dirname(importer), source).match(/^(.*\/texts\/generated)\/(\w+)\.ts$/) ?? []
      return folder && area !== 'languages' ? join(folder, language, `${area}.ts`) : null
    },
  }
}
