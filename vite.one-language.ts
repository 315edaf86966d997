import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * A build that says everything in one language, so that browsers load that language only, and each chunk only its own texts. Modules in
 * `texts/generated` are replaced by those of the language, and `currentLanguage()` answers with it.
 */
export function oneLanguage(language: string): Plugin {
  return {
    name: 'one-language',
    apply: 'build',
    enforce: 'pre',
    config: () => ({ define: { BUILD_LANGUAGE: JSON.stringify(language) } }),
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null
      const [, folder, area] = join(dirname(importer), source).match(/^(.*\/texts\/generated)\/(\w+)\.ts$/) ?? []
      return folder && area !== 'languages' ? join(folder, language, `${area}.ts`) : null
    },
  }
}
