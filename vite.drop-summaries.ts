import type { Plugin } from 'vite'

/** The calls' summaries, their access and what they refuse are for the server, which checks and documents them: no browser needs them. */
export const dropSummaries: Plugin = {
  name: 'drop-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/src/contract/')
      ? code
          .replace(/^ {4}summary:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`),$/gm, '')
          .replace(/^ {4}refuses: \[[^\]]*\],$/gm, '')
          .replace(/^ {4}access: \{[^{}\n]*\},$/gm, '')
      : null,
}
