import type { Plugin } from 'vite'

/**
 * Writes characters beyond Latin-1 as escapes: a single one of them makes Node hold the whole file with two bytes a character. That would
 * change what a template without escapes or a character behind a backslash means, so there must be none.
 */
export const oneByte: Plugin = {
  name: 'one-byte',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      const changed = /(?:String\.raw`[^`]*|\\)[\u0100-\uffff]/.exec(chunk.code)
      if (changed) this.error(`${chunk.fileName}: ${changed[0]} would mean something else as an escape`)
      chunk.code = chunk.code.replace(
        /[\u0100-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}
